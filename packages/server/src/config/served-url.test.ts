import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { loadConfig } from './config.ts';
import { loadConfigBesideService, rememberServedUrl } from './served-url.ts';

let dir: string;
before(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'guise-served-'));
});
after(() => rm(dir, { recursive: true, force: true }));

test('beside a service links lead to where it serves, whatever the port of the command; GUISE_PUBLIC_URL comes first', async () => {
  const env = { GUISE_DATA_DIR: dir, PORT: '4000' };
  const urlOf = async (more: NodeJS.ProcessEnv = {}) =>
    (await loadConfigBesideService({ ...env, ...more })).publicUrl;
  assert.equal(await urlOf(), 'http://127.0.0.1:4000', 'nothing was started yet');
  await rememberServedUrl(loadConfig({ ...env, PORT: '5000' }));
  await rememberServedUrl(loadConfig({ ...env, PORT: '5001' }));
  assert.equal(await urlOf(), 'http://127.0.0.1:5001');
  assert.equal(await urlOf({ GUISE_PUBLIC_URL: 'https://faces.example' }), 'https://faces.example');
  await rememberServedUrl(loadConfig({ ...env, GUISE_PUBLIC_URL: 'https://faces.example/' }));
  assert.equal(await urlOf(), 'https://faces.example');
  assert.equal((await readdir(dir)).length, 1, 'no part of a file stays');
});
