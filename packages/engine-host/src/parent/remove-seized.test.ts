import assert from 'node:assert/strict';
import { chown, lstat, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { canChangeUser, ENGINE_USER } from '@guise/media/isolation/unprivileged-user.ts';
import { removeSeized } from './remove-seized.ts';

test('a folder goes with all that is in it, and what its links lead to stays', async (context) => {
  const parent = await mkdtemp(path.join(tmpdir(), 'guise-seized-'));
  context.after(() => rm(parent, { recursive: true, force: true }));
  const folder = path.join(parent, 'folder');
  const deep = path.join(folder, 'a', 'b');
  const ours = path.join(parent, 'ours');
  await Promise.all([mkdir(deep, { recursive: true }), mkdir(ours)]);
  await writeFile(path.join(ours, 'file'), '');
  await symlink(ours, path.join(deep, 'link'));
  await writeFile(path.join(deep, 'file'), '');
  // No text: some file systems refuse such names.
  await writeFile(Buffer.from(`${deep}/\xff`, 'latin1'), '').catch(() => {});
  if (canChangeUser()) {
    for (const each of [folder, path.dirname(deep), deep])
      await chown(each, ENGINE_USER.uid, ENGINE_USER.gid);
  }
  await removeSeized(Buffer.from(folder));
  assert.deepEqual(await readdir(parent), ['ours']);
  assert.deepEqual(await readdir(ours), ['file']);
  assert.equal((await lstat(ours)).uid, process.getuid!());
});

test('a link is removed, and not what it leads to', async (context) => {
  const parent = await mkdtemp(path.join(tmpdir(), 'guise-seized-'));
  context.after(() => rm(parent, { recursive: true, force: true }));
  await mkdir(path.join(parent, 'ours'));
  await symlink('ours', path.join(parent, 'link'));
  await removeSeized(Buffer.from(path.join(parent, 'link')));
  assert.deepEqual(await readdir(parent), ['ours']);
});
