import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { DEMO_FACES } from '@guise/engine/samples/sample-faces.ts';
import { processVideo } from '@guise/media/clip/process-video.ts';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import { makeClip } from '@guise/media/video/test-clip.ts';
import sharp from 'sharp';
import { addBlocked, Blocklist, removeBlocked, sealEmbedding } from '../blocklist/blocklist.ts';
import { rotateEmbeddingKey } from '../blocklist/embedding-key.ts';
import type { Queryable } from '../db/database.ts';
import { checkLedger } from '../credits/check-ledger.ts';
import type { StoredInput, Task } from '../tasks/task.ts';
import { BlockedFaces, type RefusedFace } from './blocked/blocked-faces.ts';
import {
  db,
  dir,
  ended,
  newAccount,
  realEngine,
  sample,
  startWorker,
  storeInput,
  submitOrder,
} from './testing/worker-rig.ts';

const av = await loadNodeAv();
const restore = { faceRestoreVisibility: 1, restoreVisibility: 1 };
const SECRETS = { encryptionKey: 'a secret of the operator, long enough', previousEncryptionKey: null };
const MAX_DISTANCE = 0.35;
const strangers = {
  source: await readFile(DEMO_FACES.source),
  target: await readFile(DEMO_FACES.target),
};

interface Rig {
  readonly refused: RefusedFace[];
  readonly account: string;
  readonly photo: (source: Uint8Array, target: Uint8Array) => Promise<Task>;
  readonly input: (field: string, bytes: Uint8Array) => Promise<StoredInput>;
}

/** Returns the database as it is after a restart that breaks some statements. */
function restarting(statements: number): Queryable {
  let left = statements;
  return new Proxy(db.pool, {
    get(pool, name) {
      const member = pool[name as 'query'];
      if (name !== 'query' || left === 0) return typeof member === 'function' ? member.bind(pool) : member;
      left -= 1;
      return () => Promise.reject(new Error('Connection terminated unexpectedly'));
    },
  });
}

/** Starts a worker whose blocklist has the sample face. */
async function blockSample(
  context: TestContext,
  database: Queryable = db.pool,
): Promise<Rig & { readonly personId: string }> {
  const engines = [await realEngine(), await realEngine()];
  const account = await newAccount();
  const input = (field: string, bytes: Uint8Array) => storeInput(account, field, Buffer.from(bytes));
  const refused: RefusedFace[] = [];
  const blockedFaces = new BlockedFaces(
    new Blocklist(database, SECRETS, MAX_DISTANCE),
    1e8,
    async (face) => void refused.push(face),
  );
  const file = path.join(dir, 'blocked.jpg');
  await writeFile(file, sample.face);
  const { identities } = await engines[0]!.run({
    kind: 'check-face',
    photos: [{ name: 'photo', path: file }],
    maxPixels: 1e8,
  });
  const sealed = await sealEmbedding(db.pool, SECRETS, identities[0]!);
  const { id: personId } = await addBlocked(db.pool, { name: 'Ada', why: 'She asked.' }, sealed);
  context.after(() => removeBlocked(db.pool, personId));
  startWorker(context, engines, {}, undefined, undefined, { blockedFaces });
  return {
    refused,
    account,
    input,
    personId,
    photo: async (source, target) =>
      submitOrder(account, 'IMAGE_SWAP', {
        kind: 'swap-image',
        source: await input('sourceImage', source),
        target: await input('targetImage', target),
        restore,
      }),
  };
}

test('a face of the blocklist is refused as source and target, charged nothing, and told', async (context) => {
  const { photo, refused, personId } = await blockSample(context);
  const mirrored = await sharp(sample.face).flop().jpeg({ quality: 60 }).toBuffer();
  for (const [source, target, field] of [
    [sample.face, strangers.target, 'sourceImage'],
    [strangers.source, mirrored, 'targetImage'],
  ] as const) {
    const { status, error, costCredits } = await ended(await photo(source, target));
    assert.deepEqual([status, costCredits], ['FAILED', 0]);
    const message = `${field} shows a person whose face must not be used here.`;
    assert.deepEqual(error, { code: 'FACE_BLOCKED', message });
    const { distance, ...told } = refused.pop()!;
    assert.deepEqual([told.field, told.personId], [field, personId]);
    assert.ok(distance <= MAX_DISTANCE);
  }
  const other = await ended(await photo(strangers.source, strangers.target));
  assert.equal(other.status, 'COMPLETED', JSON.stringify(other.error));

  // Who is taken off the list may be used at once.
  await removeBlocked(db.pool, personId);
  assert.equal((await ended(await photo(sample.face, strangers.target))).status, 'COMPLETED');
  assert.deepEqual(refused, []);
  assert.deepEqual(await checkLedger(db), []);
});

test('a database that is away lets a task wait, neither fail nor go on unchecked', async (context) => {
  const { photo } = await blockSample(context, restarting(3));
  const refused = await ended(await photo(sample.face, strangers.target));
  assert.equal(refused.error?.code, 'FACE_BLOCKED');
});

test('of a batch only the photo that shows the face fails; group photos, GIFs and saved faces are refused', async (context) => {
  const { account, input } = await blockSample(context);
  const source = await input('sourceImages', strangers.source);
  const batch = await ended(
    await submitOrder(account, 'BATCH_FACE_SWAP', {
      kind: 'swap-batch',
      items: [
        { source, target: await input('targetImages[0]', strangers.target) },
        { source, target: await input('targetImages[1]', sample.face) },
        { source, target: await input('targetImages[2]', strangers.target) },
      ],
      restore,
    }),
  );
  assert.equal(batch.status, 'COMPLETED', JSON.stringify(batch.error));
  assert.deepEqual(
    [
      batch.status,
      batch.result!.outputs.length,
      batch.result!.failures.map(({ index, code }) => [index, code]),
    ],
    ['COMPLETED', 2, [[1, 'FACE_BLOCKED']]],
  );
  const frames = await Promise.all(
    [0, 1].map((k) => sharp(sample.face).extend({ right: 200, left: k }).resize(456, 256).toBuffer()),
  );
  const animation = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  const gif = await input('targetGif', animation);
  const orders = [
    await submitOrder(account, 'GIF_FACE_SWAP', {
      kind: 'swap-gif',
      source: await input('sourceImage', strangers.source),
      target: { ...gif, contentType: 'image/gif', durationSeconds: 0.2 },
      restore,
    }),
    await submitOrder(account, 'MULTI_FACE_SWAP', {
      kind: 'swap-group',
      target: await input('sourceImage', strangers.target),
      replacements: [
        {
          source: await input('targetFace0', sample.face),
          box: { name: 'faceBox0', faceIndex: 0, x: 0, y: 0, width: 600, height: 600 },
        },
      ],
      restore,
    }),
    // As the API asks before a face is saved.
    await submitOrder(account, 'IMAGE_SWAP', {
      kind: 'check-face',
      photos: [await input('photos[0]', sample.face)],
    }),
  ];
  for (const [at, field] of ['targetGif', 'targetFace0', 'photos[0]'].entries()) {
    const { status, error } = await ended(orders[at]!);
    assert.deepEqual([status, error?.code], ['FAILED', 'FACE_BLOCKED']);
    assert.ok(error!.message.startsWith(field), error!.message);
  }
});

/** Makes a clip of the sample face, two frames a second. */
async function clipOfSample(seconds: number): Promise<Buffer> {
  const [plain, withFace] = [path.join(dir, `plain-${seconds}.mp4`), path.join(dir, `face-${seconds}.mp4`)];
  const ticks = Array.from({ length: 2 * seconds }, (_, k) => k);
  const clip = { container: 'mp4', width: 320, height: 288, ticks, timeBase: { num: 1, den: 2 } } as const;
  await makeClip(av!, plain, clip);
  const data = await sharp(sample.face).resize(256, 256).removeAlpha().raw().toBuffer();
  const face = { data, width: 256, height: 256 };
  await processVideo({
    inputPath: plain,
    outputPath: withFace,
    container: 'mp4',
    onFrame: (frame) => frame.commitRgb({ x: 16, y: 16, width: 256, height: 256 }, face),
  });
  return readFile(withFace);
}

test(
  'a face in a video, a film of several parts and their source is refused, for nothing',
  { skip: av === null ? 'node-av is not installed' : false },
  async (context) => {
    const { account, input, refused } = await blockSample(context);
    const order = async (source: Uint8Array, seconds: number) =>
      submitOrder(account, 'VIDEO_SWAP', {
        kind: 'swap-video',
        source: await input('sourceImage', source),
        target: {
          ...(await input('targetVideo', await clipOfSample(seconds))),
          contentType: 'video/mp4',
          durationSeconds: seconds,
        },
        restore,
        size: {},
      });
    for (const [source, seconds, field] of [
      [strangers.source, 3, 'targetVideo'],
      [sample.face, 3, 'sourceImage'],
      [strangers.source, 70, 'targetVideo'],
      [sample.face, 70, 'sourceImage'],
    ] as const) {
      const { id, status, error, costCredits } = await ended(await order(source, seconds));
      assert.deepEqual([status, error?.code, costCredits], ['FAILED', 'FACE_BLOCKED', 0]);
      assert.ok(error!.message.startsWith(field), error!.message);
      assert.deepEqual(
        refused.map((face) => [face.taskId, face.field]),
        [[id, field]],
      );
      refused.length = 0;
    }
    assert.deepEqual(await checkLedger(db), []);
  },
);

test('embeddings lie in the database encrypted, by a key that the secret of the operator encrypts', async (context) => {
  const embedding = Float32Array.from({ length: 128 }, (_, k) => k / 128);
  const sealed = await sealEmbedding(db.pool, SECRETS, embedding);
  const { id } = await addBlocked(db.pool, { name: 'Bob', why: 'Law.' }, sealed);
  context.after(() => removeBlocked(db.pool, id));
  const { rows } = await db.pool.query<{ embedding: Buffer; isEncrypted: boolean }>(
    'select embedding, is_encrypted as "isEncrypted" from blocklist, embedding_key where id = $1',
    [id],
  );
  assert.ok(rows[0]!.isEncrypted && !rows[0]!.embedding.includes('0.5'));
  const found = (
    secrets: typeof SECRETS | { encryptionKey: string | null; previousEncryptionKey: string | null },
  ) => new Blocklist(db.pool, secrets, MAX_DISTANCE).find([embedding]);
  assert.deepEqual(await found(SECRETS), { personId: id, distance: 0 });
  await assert.rejects(found({ encryptionKey: null, previousEncryptionKey: null }), /must be set/);
  await assert.rejects(found({ ...SECRETS, encryptionKey: 'another one' }), /not the one/);
  const rotated = { encryptionKey: 'a new secret', previousEncryptionKey: SECRETS.encryptionKey };
  await rotateEmbeddingKey(db.pool, rotated);
  assert.equal((await found({ ...rotated, previousEncryptionKey: null }))?.personId, id);
  await rotateEmbeddingKey(db.pool, { ...SECRETS, previousEncryptionKey: rotated.encryptionKey });

  const list = new Blocklist(db.pool, SECRETS, MAX_DISTANCE);
  for (const odd of [[Number.NaN], Array.from({ length: 128 }, () => Number.NaN), []])
    assert.equal(await list.find([odd]), null);
});
