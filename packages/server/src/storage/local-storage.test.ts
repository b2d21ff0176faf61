import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { isOutOfSpace, LocalStorage } from './local-storage.ts';

let root: string;
let storage: LocalStorage;

before(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'guise-storage-'));
  storage = await LocalStorage.open(root);
});
after(() => rm(root, { recursive: true, force: true }));

async function stored(text: string): Promise<string> {
  const scratch = storage.scratchPath('png');
  await writeFile(scratch, text);
  const key = storage.newKey('output', 'png');
  await storage.put(key, scratch);
  assert.equal(existsSync(scratch), false);
  return key;
}

test('what is put is read back whole and in ranges', async () => {
  const key = await stored('0123456789');
  assert.equal(await storage.sizeBytes(key), 10);
  assert.equal((await buffer(await storage.openRead(key))).toString(), '0123456789');
  assert.equal((await buffer(await storage.openRead(key, { start: 2, end: 4 }))).toString(), '234');
  assert.equal(await storage.withLocalFile(key, (file) => readFile(file, 'utf8')), '0123456789');
});

test('deleting is final and may be repeated', async () => {
  const key = await stored('x');
  await storage.delete(key);
  await storage.delete(key);
  assert.equal(await storage.sizeBytes(key), null);
  await assert.rejects(storage.openRead(key), { code: 'ENOENT' });
});

test('a put that fails leaves nothing under the key', async () => {
  const key = storage.newKey('input', 'jpg');
  await assert.rejects(storage.put(key, storage.scratchPath('jpg')), { code: 'ENOENT' });
  assert.equal(await storage.sizeBytes(key), null);
});

test('keys are unguessable and never repeat', () => {
  const keys = new Set(Array.from({ length: 1000 }, () => storage.newKey('output', 'png')));
  assert.equal(keys.size, 1000);
  for (const key of keys) assert.match(key, /^out\/[0-9a-f]{2}\/[0-9a-f]{46}\.png$/);
});

test('nothing but a key reaches the file system', async () => {
  for (const key of ['../secret', 'out/../../etc/passwd', '/etc/passwd', 'out/ab/x.png', '', 'out/ab\0']) {
    assert.equal(await storage.sizeBytes(key), null);
    await assert.rejects(async () => storage.openRead(key), TypeError);
    await assert.rejects(async () => storage.delete(key), TypeError);
  }
});

test('nobody else on the machine may look in', async () => {
  assert.equal((await stat(path.join(root, 'objects'))).mode & 0o077, 0);
  assert.equal((await stat(path.join(root, 'scratch'))).mode & 0o077, 0);
});

test('the scratch is swept of what is old, and only of that', async () => {
  const [old, young] = [storage.scratchPath('upload'), storage.scratchPath('upload')];
  await writeFile(old, 'old');
  await writeFile(young, 'young');
  await utimes(old, new Date(0), new Date(1000));
  assert.equal(await storage.sweepScratch(new Date(Date.now() - 60_000)), 1);
  assert.deepEqual(await readdir(path.join(root, 'scratch')), [path.basename(young)]);
});

test('a disk that is nearly full is refused with a plain sentence before anything is written', async () => {
  const full = await LocalStorage.open(root, { minFreeBytes: Number.MAX_SAFE_INTEGER });
  await assert.rejects(full.requireSpace(), {
    code: 'INTERNAL_ERROR',
    message: 'The service has no room left to store files.',
  });
  await storage.requireSpace();
});

test(
  'a full disk is known by its error',
  { skip: existsSync('/dev/full') ? false : 'no /dev/full here' },
  async () => {
    const error = await writeFile('/dev/full', 'x').catch((thrown: unknown) => thrown);
    assert.equal(isOutOfSpace(error), true);
    assert.equal(isOutOfSpace(new Error('other')), false);
  },
);
