/**
 * `POST /api/ai-tasks/verify` and `POST /verify`: what guise marks is read back, what was changed
 * is told, and no file does harm.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { ensureSigningFiles } from '@guise/media/provenance/certificate.ts';
import { createManifestSigner } from '@guise/media/provenance/manifest-signer.ts';
import { signStill } from '@guise/media/provenance/sign-still.ts';
import { loadSigningIdentity } from '@guise/media/provenance/signing-identity.ts';
import { fixture, skipWithoutFixtures } from '../../scripts/fixtures.ts';
import { assertError, type Answer, type Fields, photo } from './client.ts';
import { faceClip, GIF, skipWithoutVideo, untilScratchIsEmpty, VIDEO } from './clip-setup.ts';
import { client, face, MIB, newClient, padded, service, target } from './photo-setup.ts';

const VERIFY = '/api/ai-tasks/verify';
const SWAPPED = 'http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia';
const verifier = client.at(VERIFY);

function only(bytes: Uint8Array, name = 'file'): Fields {
  return [['file', { bytes, name, type: 'application/octet-stream' }]];
}

async function verify(bytes: Uint8Array, name?: string): Promise<Answer['body']> {
  const { status, body } = await verifier.post(only(bytes, name));
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** Posts a file without a key. */
function postPublicly(bytes: Uint8Array): Promise<Response> {
  const form = new FormData();
  form.set('file', new Blob([Uint8Array.from(bytes)]), 'a.png');
  return fetch(`${service.url}/verify`, { method: 'POST', body: form });
}

async function swapped(path: string, fields: Fields): Promise<{ bytes: Buffer; contentType: string }> {
  const task = await client.at(path).run(fields);
  assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
  const [{ url, contentType }] = task.result.outputs;
  return { bytes: Buffer.from(await (await fetch(url)).arrayBuffer()), contentType };
}

function changed(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy[copy.length >> 1]! ^= 1;
  return copy;
}

describe('what the service made', () => {
  test('is marked, signed by this very installation and untouched; a changed byte is told', async () => {
    const { bytes } = await swapped('/api/ai-tasks', photo(face, target));
    const answer = await verify(bytes, 'result.png');
    const { signer, ...credentials } = answer.credentials;
    const { id, confidence } = answer.watermark;
    assert.match(String(id), /^[0-9a-f]{12}$/, JSON.stringify(answer));
    assert.ok(confidence > 0.7 && confidence <= 1, `${confidence}`);
    assert.match(signer, /^guise operator [0-9a-f]{8}$/);
    const generator = credentials.generator;
    assert.match(generator, /^guise\/\d/);
    assert.deepEqual(
      { ...answer, credentials },
      {
        file: {
          name: 'result.png',
          contentType: 'image/png',
          bytes: bytes.length,
          sha256: createHash('sha256').update(bytes).digest('hex'),
        },
        marked: true,
        digitalSourceType: SWAPPED,
        xmp: { digitalSourceType: SWAPPED, creatorTool: 'guise' },
        credentials: {
          valid: true,
          trusted: true,
          issuer: 'guise',
          signedAt: null,
          generator,
          digitalSourceType: SWAPPED,
          actions: [
            { action: 'c2pa.created', digitalSourceType: SWAPPED, softwareAgent: generator, when: null },
            { action: 'c2pa.watermarked.bound', digitalSourceType: null, softwareAgent: null, when: null },
          ],
          problems: [],
        },
        watermark: { found: true, confidence, id, ownInstallation: true },
        ownSignature: true,
      },
    );

    const other = await verify(changed(bytes));
    assert.deepEqual([other.marked, other.credentials.valid, other.ownSignature], [true, false, false]);
    assert.deepEqual(other.credentials.problems, ['assertion.dataHash.mismatch']);
  });

  for (const container of ['mp4', 'webm'] as const) {
    test(`a video, ${container}`, { skip: skipWithoutVideo }, async () => {
      const clip = await faceClip({ container, frames: 6, framesPerSecond: 6 });
      const { bytes, contentType } = await swapped(VIDEO, [
        ['sourceImage', { bytes: face }],
        ['targetVideo', clip],
      ]);
      const answer = await verify(bytes);
      assert.deepEqual([answer.file.contentType, answer.marked], [contentType, true]);
      assert.equal(answer.digitalSourceType, SWAPPED);
      // WebM has no place for credentials.
      if (container === 'webm') assert.equal(answer.credentials, null);
      else {
        assert.deepEqual([answer.credentials.valid, answer.ownSignature], [true, true]);
        assert.equal((await verify(changed(bytes))).credentials.valid, false);
      }
    });
  }

  test('a GIF', { skip: skipWithoutVideo }, async () => {
    const clip = await faceClip({ frames: 4, framesPerSecond: 4 });
    const { bytes } = await swapped(GIF, [
      ['sourceImage', { bytes: face }],
      ['targetGif', clip],
    ]);
    const answer = await verify(bytes);
    assert.deepEqual([answer.file.contentType, answer.marked], ['image/gif', true]);
    assert.equal(answer.digitalSourceType, SWAPPED);
  });

  test('guise verify --json prints the same, but does not ask for the records', async () => {
    const { bytes } = await swapped('/api/ai-tasks', photo(face, target));
    const folder = await mkdtemp(path.join(tmpdir(), 'guise-verify-'));
    try {
      const file = path.join(folder, 'out.png');
      await writeFile(file, bytes);
      const printed = JSON.parse(await service.guise('verify', file, '--json')) as unknown;
      const answer = await verify(bytes, 'out.png');
      const { ownInstallation: _asked, ...watermark } = answer.watermark;
      assert.deepEqual(printed, { ...answer, watermark });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('what others made', () => {
  test('a picture without marks says nothing', async () => {
    const { file: _file, ...said } = await verify(target);
    assert.deepEqual(said, {
      marked: false,
      digitalSourceType: null,
      xmp: null,
      credentials: null,
      watermark: { found: false, confidence: 0 },
      ownSignature: false,
    });
  });

  test('the certificate of another installation is valid, and neither trusted nor our own', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'guise-verify-'));
    try {
      const stranger = await loadSigningIdentity(await ensureSigningFiles(path.join(folder, 'signing')));
      const claim = { generator: { name: 'else', version: '1' }, digitalSourceType: SWAPPED };
      const file = path.join(folder, 'signed.png');
      await writeFile(file, await signStill(target, 'image/png', createManifestSigner(stranger, claim)));
      const answer = await verify(await readFile(file));
      assert.deepEqual(
        [answer.marked, answer.credentials.valid, answer.credentials.trusted, answer.ownSignature],
        [true, true, false, false],
      );
      assert.deepEqual([answer.credentials.signer, answer.xmp], [stranger.subject, null]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('no photograph of the fixtures is marked', { skip: skipWithoutFixtures }, async () => {
    for (const name of readdirSync(fixture('portraits')).slice(0, 3)) {
      const { marked, credentials } = await verify(await readFile(fixture(`portraits/${name}`)));
      assert.deepEqual([marked, credentials], [false, null], name);
    }
  });
});

describe('for everybody', () => {
  test('the answer is the same without an account', async () => {
    const { bytes } = await swapped('/api/ai-tasks', photo(face, target));
    const answer = await postPublicly(bytes);
    assert.equal(answer.status, 200);
    assert.deepEqual(await answer.json(), await verify(bytes, 'a.png'));
    await untilScratchIsEmpty();
  });

  test('an address that sends too much is 429, and accounts at this address go on', async () => {
    let refused: Response;
    do refused = await postPublicly(Buffer.from('just text'));
    while (refused.status === 400);
    assert.equal(refused.status, 429);
    const { limit, resetSeconds } = (await refused.json()) as { limit: number; resetSeconds: number };
    assert.ok([4, 20].includes(limit), `${limit}`);
    assert.equal(refused.headers.get('retry-after'), String(resetSeconds));
    await verify(target);
  });
});

describe('refused', () => {
  test('what is no picture, video or animation, nothing at all, and an unknown field', async () => {
    const types = /^file must be of type JPEG, PNG, .+ or WebM\.$/;
    assertError(await verifier.post(only(Buffer.from('just text'))), 400, types);
    assertError(await verifier.post(only(Buffer.alloc(0))), 400, /^file is an empty file\.$/);
    assertError(await verifier.post([]), 400, /./);
    assertError(await verifier.post([['note', 'x'], ...only(target)]), 400, /^Unknown field "note"\.$/);
    assertError(await verifier.post([...only(target), ...only(target)]), 400, /^file was sent twice\.$/);
    assertError(await verifier.post([['file', 'text']]), 400, /^file must be a file\.$/);
  });

  test('95 MiB are read, a byte more is not', async () => {
    const limit = 95 * MIB;
    assert.equal((await verify(padded(limit))).file.bytes, limit);
    const refused = await verifier.post(only(padded(limit + 1)));
    assertError(refused, 400, /^file is larger than 99614720 bytes\.$/, { code: 'INVALID_REQUEST', limit });
  });

  test('a query parameter, but for dryRun, which is free', async () => {
    assertError(
      await verifier.post(only(target), { query: '?deep=1' }),
      400,
      /^Unknown query parameter "deep"/,
    );
    const { status, body } = await verifier.post(only(target), { query: '?dryRun=true' });
    assert.deepEqual([status, body], [200, { dryRun: true, requiredCredits: 0, faces: {}, warnings: [] }]);
    assertError(
      await verifier.post(only(Buffer.from('text')), { query: '?dryRun=true' }),
      400,
      /^file must be/,
    );
  });

  test('without a key 401, unverified 403, over the rate 429; and it costs nothing', async () => {
    const keyless = await fetch(`${service.url}${VERIFY}`, { method: 'POST' });
    assert.equal(keyless.status, 401);
    const unverified = (await newClient({ unverified: true })).at(VERIFY);
    assertError(await unverified.post(only(target)), 403, /not verified/);
    const free = (await newClient({ plan: 'free', credits: 0 })).at(VERIFY);
    // All within one minute, also on a slow machine: a dry run counts as much as any other.
    const dryRun = { query: '?dryRun=true' };
    for (let n = 0; n < 10; n++) assert.equal((await free.post(only(target), dryRun)).status, 200);
    assert.equal((await free.post(only(target))).status, 429);
  });

  test('the same key gives the same answer again, and another file with it is 409', async () => {
    const headers = { 'idempotency-key': 'verify-1' };
    const first = await verifier.post(only(target, 'a.png'), { headers });
    const again = await verifier.post(only(target, 'b.png'), { headers });
    assert.deepEqual([again.status, again.body], [200, first.body]);
    assert.equal((await verifier.post(only(face), { headers })).status, 409);
  });
});

test(
  'a hostile file is 400 or an answer that believes nothing, and none is left behind',
  { skip: skipWithoutFixtures },
  async () => {
    const files = readdirSync(fixture('hostile'));
    const answers = [];
    // One after the other: of many at once, the last would wait too long on a busy machine (503).
    for (const name of files) {
      const form = only(await readFile(fixture(`hostile/${name}`)), name);
      answers.push({ name, answer: await verifier.post(form) });
    }
    for (const { name, answer } of answers) {
      assert.ok(
        [200, 400].includes(answer.status),
        `${name}: ${answer.status} ${JSON.stringify(answer.body)}`,
      );
      if (answer.status === 200) assert.ok(!answer.body.credentials?.valid && !answer.body.marked, name);
    }
    assert.ok(answers.some(({ answer }) => answer.status === 200));
    await untilScratchIsEmpty();
  },
);
