import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { tryLock } from './process-lock.ts';

const STRANGER_UID = 65_534;
const skip = process.getuid?.() === 0 ? false : 'only root can act as another user';

let dataDir: string;
let file: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'guise-lock-'));
  // As a data folder is: others may pass, because PostgreSQL may run as another user.
  chmodSync(dataDir, 0o711);
  file = path.join(dataDir, 'locks/door');
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** What another user of this machine gets who opens the file, as holding a lock on it takes. */
function openAsStranger(): string {
  const stranger = { uid: STRANGER_UID, gid: STRANGER_UID, cwd: '/' };
  const { stderr } = spawnSync('/bin/sh', ['-c', 'LC_ALL=C exec 3<"$1"', 'sh', file], stranger);
  return stderr.toString();
}

test('shared holders get on with each other, an exclusive one is alone', () => {
  const first = tryLock(file, 'shared')!;
  const second = tryLock(file, 'shared')!;
  assert.equal(tryLock(file, 'exclusive'), null);
  first.release();
  second.release();
  const alone = tryLock(file, 'exclusive')!;
  assert.equal(tryLock(file, 'shared'), null);
  alone.release();
});

test('only its owner may enter the folder of the locks, also one that was open before', () => {
  tryLock(file, 'shared')!.release();
  assert.equal(statSync(path.dirname(file)).mode & 0o777, 0o700);
  chmodSync(path.dirname(file), 0o755);
  tryLock(file, 'shared')!.release();
  assert.equal(statSync(path.dirname(file)).mode & 0o777, 0o700);
});

test('no other user can open a lock, and so hold one', { skip }, () => {
  mkdirSync(path.dirname(file), { mode: 0o755 });
  tryLock(file, 'exclusive')!.release();
  assert.match(openAsStranger(), /permission denied/i);
});
