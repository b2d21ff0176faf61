import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import sharp from 'sharp';
import { NO_CREDENTIALS } from './c2pa-report.ts';
import { verifyFileIsolated } from './verify-isolated.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'guise-verify-isolated-'));
after(() => rm(folder, { recursive: true, force: true }));
const file = path.join(folder, 'plain.png');
await writeFile(
  file,
  await sharp({ create: { width: 64, height: 64, channels: 3, background: '#888' } })
    .png()
    .toBuffer(),
);

test('the answer comes back from the child', async () => {
  assert.deepEqual(await verifyFileIsolated(file, 'image/png'), {
    xmp: null,
    c2pa: NO_CREDENTIALS,
    watermark: null,
  });
});

const verify = (isolation: object) => verifyFileIsolated(file, 'image/png', { isolation });

test('a child over its time or memory is ended, and the error says so', async () => {
  await assert.rejects(verify({ timeoutMs: 1 }), { name: 'MediaError', code: 'TIMEOUT' });
  // Only Linux reports the memory of a process.
  if (process.platform !== 'linux') return;
  await assert.rejects(verify({ maxMemoryBytes: 1 }), { name: 'MediaError', code: 'RESOURCE_LIMIT' });
});

test('what the child refuses is refused here by the same error', async () => {
  await assert.rejects(verifyFileIsolated(file, 'image/png', { maxBytes: 10 }), {
    name: 'MediaError',
    code: 'UNSUPPORTED',
  });
});

test('it ends when nobody waits any more', async () => {
  const gone = new AbortController();
  const answer = verifyFileIsolated(file, 'image/png', { signal: gone.signal });
  gone.abort(new Error('gone'));
  await assert.rejects(answer, /^Error: gone$/);
  await assert.rejects(verifyFileIsolated(file, 'image/png', { signal: gone.signal }), /^Error: gone$/);
});
