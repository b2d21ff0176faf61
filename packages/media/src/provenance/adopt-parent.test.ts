import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { sampleVideo } from '../xmp/sample-video.test.ts';
import { blobOfBytes, loadC2pa } from './c2pa-module.ts';
import { ensureSigningFiles } from './certificate.ts';
import { BUILDER_SETTINGS } from './claim.ts';
import { coseSign1, coseSizeBytes } from './cose.ts';
import { createManifestSigner, type ManifestSigner, type Origin } from './manifest-signer.ts';
import { markMoving } from './mark-moving.ts';
import { readManifestStore } from './origin/read-manifest-store.ts';
import { readOrigin } from './origin/read-origin.ts';
import { signStill } from './sign-still.ts';
import { loadSigningIdentity, type SigningIdentity } from './signing-identity.ts';
import { verifyFile } from './verify.ts';

const SOURCE_TYPE = 'http://example.com/captured';
const FORMATS = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
} as const;
type Format = keyof typeof FORMATS;

let folder: string;
let camera: SigningIdentity;
let own: SigningIdentity;
let signer: ManifestSigner;
let thumbnail: Buffer;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'guise-parent-'));
  const newIdentity = async (name: string) =>
    loadSigningIdentity(await ensureSigningFiles(path.join(folder, name)));
  [camera, own] = await Promise.all([newIdentity('camera'), newIdentity('own')]);
  signer = createManifestSigner(own, {
    generator: { name: 'guise', version: '1.2.3' },
    digitalSourceType: 'http://example.com/swapped',
  });
  thumbnail = await picture('#ff8800').jpeg().toBuffer();
});
after(() => rm(folder, { recursive: true, force: true }));

const inFolder = (name: string): string => path.join(folder, name);
const picture = (background: string) => sharp({ create: { width: 48, height: 32, channels: 3, background } });

async function unsigned(format: Format): Promise<string> {
  const file = inFolder(`unsigned.${format}`);
  if (format === 'mp4' || format === 'mov') await sampleVideo(file, format);
  else await picture('#3366cc').toFormat(format).toFile(file);
  return file;
}

interface CameraWish {
  /** A further assertion. */
  readonly note?: string;
  /** Version of the claim; 1 is that of C2PA 1.x. Default: 2. */
  readonly claimVersion?: 1;
  /** File with credentials that the camera opened. */
  readonly opened?: { readonly file: string; readonly format: Format };
}

/** Makes a file as another program makes it, with a thumbnail. */
async function ofCamera(format: Format, { note, opened, claimVersion }: CameraWish = {}): Promise<string> {
  const { WasmBuilder } = await loadC2pa();
  const action = opened
    ? { action: 'c2pa.opened', parameters: { ingredientIds: ['first'] } }
    : { action: 'c2pa.created', digitalSourceType: SOURCE_TYPE };
  const assertions = [
    { label: 'c2pa.actions.v2', data: { actions: [action] }, created: true },
    ...(note ? [{ label: 'org.example.note', data: { note }, created: true }] : []),
  ];
  const generator = { name: 'camera', version: '1' };
  const builder = WasmBuilder.fromJson(
    JSON.stringify({ claim_generator_info: [generator], assertions, claim_version: claimVersion ?? 2 }),
    BUILDER_SETTINGS,
  );
  await builder.setThumbnailFromBlob('image/jpeg', blobOfBytes(thumbnail));
  if (opened) {
    const ingredient = JSON.stringify({ relationship: 'parentOf', label: 'first', title: 'first' });
    const bytes = blobOfBytes(await readFile(opened.file));
    await builder.addIngredientFromBlob(ingredient, FORMATS[opened.format], bytes);
  }
  const sign = {
    alg: camera.algorithm,
    reserveSize: coseSizeBytes(camera),
    sign: (claim: Uint8Array) => coseSign1(camera, claim),
  };
  const source = blobOfBytes(await readFile(await unsigned(format)));
  const file = inFolder(`camera-${opened ? 'opened' : 'made'}.${format}`);
  await writeFile(file, await builder.sign(sign, [], FORMATS[format], source));
  builder.free();
  return file;
}

/** Makes a result of a target. */
async function resultOf(origin: Origin, format: Format): Promise<string> {
  const file = inFolder(`result.${format}`);
  const bytes = await readFile(await unsigned(format));
  if (format === 'png' || format === 'jpeg' || format === 'webp') {
    await writeFile(file, await signStill(bytes, FORMATS[format], signer, origin));
  } else {
    await writeFile(file, bytes);
    await markMoving(file, FORMATS[format], signer, origin);
  }
  return file;
}

/** Verifies a result, and returns its actions. */
async function actionsOf(file: string, format: Format): Promise<string[]> {
  const { c2pa } = await verifyFile(file, FORMATS[format], { trustAnchorsPem: own.trustAnchorPem });
  assert.deepEqual([c2pa!.validationErrors, c2pa!.valid, c2pa!.trusted], [[], true, true]);
  assert.deepEqual([c2pa!.signer, c2pa!.digitalSourceType], [own.subject, 'http://example.com/swapped']);
  return c2pa!.actions.map(({ action }) => action);
}

const ON_PARENT = ['c2pa.opened', 'c2pa.edited', 'c2pa.redacted'];

for (const format of Object.keys(FORMATS) as Format[]) {
  test(`a ${format} with credentials becomes the parent of its result, without its thumbnail`, async () => {
    const target = await ofCamera(format);
    const origin = await readOrigin(target);
    assert.ok(Buffer.from(origin.parentStore!).includes(thumbnail), 'the target has a thumbnail');
    const result = await resultOf(origin, format);
    assert.deepEqual(await actionsOf(result, format), ON_PARENT);
    const store = (await readManifestStore(result))!;
    assert.ok(store.includes('camera') && store.includes('parentOf'));
    assert.equal(store.includes(thumbnail), false);
    // The result is a target itself.
    const second = await resultOf(await readOrigin(result), format);
    assert.deepEqual(await actionsOf(second, format), ON_PARENT.slice(0, 2));
  });

  test(`a ${format} whose bytes have changed is no parent`, async () => {
    const target = await ofCamera(format);
    const bytes = await readFile(target);
    bytes[bytes.length - 20]! ^= 1;
    await writeFile(target, bytes);
    const origin = await readOrigin(target);
    assert.equal(origin.parentStore, undefined);
    assert.deepEqual(await actionsOf(await resultOf(origin, format), format), ['c2pa.created']);
  });
}

for (const claimVersion of [1, undefined] as const) {
  test(`thumbnails of all earlier manifests are removed, of claims of version ${claimVersion ?? 2}`, async () => {
    const opened = { file: await ofCamera('jpeg', { claimVersion }), format: 'jpeg' } as const;
    const origin = await readOrigin(await ofCamera('png', { opened, claimVersion }));
    const label = claimVersion === 1 ? 'c2pa.ingredient.v2' : 'c2pa.ingredient.v3';
    assert.ok(Buffer.from(origin.parentStore!).includes(label));
    const result = await resultOf(origin, 'webp');
    const actions = await actionsOf(result, 'webp');
    assert.deepEqual(actions.slice(0, 3), ON_PARENT);
    const store = (await readManifestStore(result))!;
    assert.equal(store.includes(thumbnail), false);
  });
}

test('credentials of more than one JPEG segment come through, and of more than 512 KiB are left out', async () => {
  const target = await ofCamera('jpeg', { note: 'x'.repeat(200_000) });
  const origin = await readOrigin(target);
  assert.ok(origin.parentStore!.length > 200_000);
  for (const format of ['jpeg', 'png', 'webp', 'gif', 'mp4'] as const)
    assert.deepEqual(await actionsOf(await resultOf(origin, format), format), ON_PARENT);
  assert.deepEqual(await readOrigin(await ofCamera('png', { note: 'x'.repeat(600_000) })), {});
});

test('hostile stores change nothing: the result says that it was created', async () => {
  const { parentStore } = await readOrigin(await ofCamera('png'));
  const store = Buffer.from(parentStore!);
  const hostile: Buffer[] = [Buffer.alloc(0), Buffer.alloc(100_000), Buffer.alloc(600_000, 0xff)];
  for (let length = 1; length < store.length; length += 131) hostile.push(store.subarray(0, length));
  const databoxes = Buffer.from(store);
  databoxes.write('c2pa.databoxxxx', databoxes.indexOf('c2pa.assertions'));
  hostile.push(databoxes);
  for (const bytes of hostile) {
    const content = { contentType: 'image/png', parentStore: bytes } as const;
    const manifest = await signer.sign({ ...content, mediaSha256: new Uint8Array(32), at: 33 });
    assert.ok(Buffer.from(manifest).includes('c2pa.created'));
    assert.equal(manifest.length, await signer.manifestBytes(content));
  }
});

test('a store with any changed byte ends in a manifest of the length that was said', async () => {
  const { parentStore } = await readOrigin(await ofCamera('png'));
  for (let at = 0; at < parentStore!.length; at += 7) {
    const bytes = Buffer.from(parentStore!);
    bytes[at]! ^= 0xff;
    const content = { contentType: 'video/mp4', parentStore: bytes } as const;
    const manifest = await signer.sign({ ...content, mediaSha256: new Uint8Array(32), at: 33 });
    assert.equal(manifest.length, await signer.manifestBytes(content));
  }
});
