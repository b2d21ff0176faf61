import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { isOutOfSpace } from './disk-room.ts';
import { LocalStorage } from './local-storage.ts';
import { testStorage } from './testing/storage-contract.ts';

let root: string;
let storage: LocalStorage;

before(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'guise-storage-'));
  storage = await LocalStorage.open(root);
});
after(() => rm(root, { recursive: true, force: true }));

testStorage(() => storage);

test('nobody else on the machine may look in', async () => {
  assert.equal((await stat(path.join(root, 'objects'))).mode & 0o077, 0);
  assert.equal((await stat(path.join(root, 'scratch'))).mode & 0o077, 0);
});

test('a disk that is nearly full is refused with a plain sentence before anything is written', async () => {
  const full = await LocalStorage.open(root, { minFreeBytes: Number.MAX_SAFE_INTEGER });
  await assert.rejects(full.scratch.promiseRoom('ann', 1), {
    code: 'BUSY',
    message: 'The service has no room left to store files; try again later.',
  });
  (await storage.scratch.promiseRoom('ann', 1)).release();
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
