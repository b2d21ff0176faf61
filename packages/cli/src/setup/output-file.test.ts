import assert from 'node:assert/strict';
import { link, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { placeFile, requireOutput } from './output-file.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'guise-output-'));
after(() => rm(dir, { recursive: true, force: true }));
const inDir = (name: string): string => path.join(dir, name);
await writeFile(inDir('me.jpg'), 'me');
await writeFile(inDir('other.jpg'), 'other');
await symlink('me.jpg', inDir('soft.jpg'));
await symlink('.', inDir('folder'));
await symlink('nowhere.jpg', inDir('dangling.jpg'));
await link(inDir('me.jpg'), inDir('hard.jpg'));
await mkdir(inDir('dir.png'));

test('an input is never an output, whatever name leads to it', async () => {
  for (const name of ['me.jpg', 'soft.jpg', 'hard.jpg', 'folder/me.jpg', './me.jpg'])
    for (const force of [{}, { force: true } as const])
      await assert.rejects(
        requireOutput({ output: inDir(name), ...force }, [inDir('absent.jpg'), inDir('me.jpg')]),
        /me\.jpg is an input: name another output\.$|is the input .*me\.jpg: name another output\.$/,
        name,
      );
});

test('a file that exists is replaced with --force only, and a folder never', async () => {
  const inputs = [inDir('me.jpg')];
  for (const name of ['other.jpg', 'dangling.jpg']) {
    const output = inDir(name);
    await assert.rejects(requireOutput({ output }, inputs), {
      message: `${output} exists already; --force replaces it.`,
    });
    await requireOutput({ output, force: true }, inputs);
  }
  for (const force of [{}, { force: true } as const])
    await assert.rejects(requireOutput({ output: inDir('dir.png'), ...force }, inputs), /is a folder/);
  await assert.rejects(requireOutput({ output: inDir('none/out.png') }, inputs), /none cannot be read\.$/);
  await requireOutput({ output: inDir('new.jpg') }, inputs);
});

test('a file that appeared meanwhile stays as it is without --force', async () => {
  await writeFile(inDir('made'), 'made');
  const output = inDir('late.jpg');
  await writeFile(output, 'late');
  assert.throws(() => placeFile(inDir('made'), { output }), /exists already; --force replaces it\.$/);
  assert.equal(await readFile(output, 'utf8'), 'late');
  placeFile(inDir('made'), { output, force: true });
  assert.equal(await readFile(output, 'utf8'), 'made');
});
