import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ensureModels } from './ensure-models.ts';
import { TEST_MODELS } from './testing/test-models.ts';

test('a process that runs a network leaves nothing in its home, its cache and the temporary folder', async (context) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'guise-runtime-'));
  context.after(() => rm(folder, { recursive: true }));
  const { iris } = await ensureModels(TEST_MODELS);
  const home = path.join(folder, 'home');
  await mkdir(home);
  const module = pathToFileURL(path.join(import.meta.dirname, 'model.ts')).href;
  const program = `
    const { Model } = await import(${JSON.stringify(module)});
    const model = await Model.open(${JSON.stringify(iris)});
    await model.run(64, 64, (input) => input.fill(0.5), () => {});
    await model.close();
    console.log(process.env.ORT_DISABLE_TELEMETRY);`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: home,
    env: { HOME: home, XDG_CACHE_HOME: home, TMPDIR: home },
    encoding: 'utf8',
  });
  assert.deepEqual([status, stdout], [0, '1\n'], stderr);
  assert.deepEqual(await readdir(home, { recursive: true }), []);
});
