import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { ensureModels } from './ensure-models.ts';
import type { ModelFiles } from './ensure-models.ts';
import { MODEL_NAMES } from './recipes.ts';

let root: string;
let intact: ModelFiles;

before(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'guise-models-'));
  intact = await ensureModels(path.join(root, 'intact'));
});

after(() => rm(root, { recursive: true }));

/** Makes a separate cache for a test that damages files. */
async function freshCache(name: string): Promise<{ cacheDir: string; files: ModelFiles }> {
  const cacheDir = path.join(root, name);
  return { cacheDir, files: await ensureModels(cacheDir) };
}

async function assertSameAsIntact(files: ModelFiles): Promise<void> {
  for (const [name, file] of Object.entries(files)) {
    const expected = await readFile(intact[name as keyof ModelFiles]);
    assert.ok((await readFile(file)).equals(expected), name);
  }
}

test('a cut, a changed and a missing file are each converted again, the others left alone', async () => {
  const { cacheDir, files } = await freshCache('damaged');
  await truncate(files.iris, 1000);
  const changed = await readFile(files.blazeface);
  changed[changed.length >> 1]! ^= 1;
  await writeFile(files.blazeface, changed);
  await rm(files.faceres);
  const untouched = await stat(files['face-recognition']);
  await assertSameAsIntact(await ensureModels(cacheDir));
  assert.equal((await stat(files['face-recognition'])).ino, untouched.ino);
});

for (const [what, content] of [
  ['is no JSON', 'half a file {"iris'],
  ['is no object', 'null'],
] as const) {
  test(`a manifest that ${what} is made again`, async () => {
    const { cacheDir, files } = await freshCache(`manifest ${what}`);
    const manifest = path.join(path.dirname(files.iris), 'manifest.json');
    const expected = await readFile(manifest, 'utf8');
    await writeFile(manifest, content);
    await assertSameAsIntact(await ensureModels(cacheDir));
    assert.equal(await readFile(manifest, 'utf8'), expected);
  });
}

test('two processes that start on an empty cache at once both end with whole files and leave nothing else', async () => {
  const cacheDir = path.join(root, 'race');
  const script = `
    const { ensureModels } = await import(${JSON.stringify(new URL('./ensure-models.ts', import.meta.url).href)});
    console.log(JSON.stringify(await ensureModels(process.argv[1])));
  `;
  const run = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, ['--input-type=module', '--eval', script, cacheDir]);
      let output = '';
      child.stdout.on('data', (data) => (output += String(data)));
      child.stderr.pipe(process.stderr);
      child.on('error', reject);
      child.on('exit', (code) => (code === 0 ? resolve(output) : reject(new Error(`exit code ${code}`))));
    });
  const outputs = await Promise.all([run(), run()]);
  for (const output of outputs) await assertSameAsIntact(JSON.parse(output) as ModelFiles);
  const { iris } = JSON.parse(outputs[0]!) as ModelFiles;
  const names = await readdir(path.dirname(iris));
  assert.equal(names.length, MODEL_NAMES.length + 1);
  assert.ok(names.every((name) => !name.endsWith('.tmp')));
});
