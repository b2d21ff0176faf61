import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { ClipSource } from '@guise/engine/pipeline/clip-source.ts';
import type { Engine } from '@guise/engine/pipeline/engine.ts';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import sharp from 'sharp';
import { FilmSources } from './film-sources.ts';
import { engine } from '@guise/engine/pipeline/testing/test-engine.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'guise-film-sources-'));
const inDir = (name: string): string => path.join(dir, name);
after(() => rm(dir, { recursive: true, force: true }));
const { face, body } = await readSampleFaces();
const [facePath, bodyPath] = [inDir('face.jpg'), inDir('body.jpg')];
await Promise.all([writeFile(facePath, face), writeFile(bodyPath, body)]);
const photo = (path: string) => ({ sources: [{ path }], maxPixels: 10_000_000 });

/** Sources of an engine that counts how often it looks at one. */
function countingSources(): { readonly sources: FilmSources; readonly looks: () => number } {
  let looks = 0;
  const counting: Engine = {
    ...engine,
    analyseClipSource(...source) {
      looks += 1;
      return engine.analyseClipSource(...source);
    },
  };
  return { sources: new FilmSources(counting), looks: () => looks };
}

const itself = ([source]: readonly ClipSource[]): Promise<ClipSource> => Promise.resolve(source!);

test('a source is looked at once for all that is drawn with it, whatever its copies are called', async () => {
  const { sources, looks } = countingSources();
  const copy = inDir('copy.jpg');
  await copyFile(facePath, copy);
  const first = await sources.use(photo(facePath), itself);
  assert.equal(await sources.use(photo(copy), itself), first);
  assert.equal(looks(), 1);
  assert.notEqual(await sources.use(photo(bodyPath), itself), first);
  await sources.use(photo(facePath), itself);
  assert.equal(looks(), 3, 'only one is kept');
});

test('another photo of its person makes another source', async () => {
  const { sources, looks } = countingSources();
  await sources.use(photo(facePath), itself);
  const additional = [{ name: 'additionalSourceImages[0]', path: facePath }];
  const files = { ...photo(facePath), sources: [{ path: facePath, additional }] };
  const both = await sources.use(files, itself);
  assert.deepEqual([looks(), both.photos.length], [2, 2]);
});

test('a source that fails is not held, nor are photos that are larger than allowed', async () => {
  const { sources } = countingSources();
  const blank = inDir('blank.png');
  await sharp({ create: { width: 64, height: 64, channels: 3, background: '#567' } }).toFile(blank);
  const code = 'NO_FACE_DETECTED';
  await assert.rejects(sources.use(photo(blank), itself), { code });
  await assert.rejects(sources.use(photo(blank), itself), { code });
  await sources.use(photo(facePath), itself);
  await assert.rejects(sources.use({ ...photo(facePath), maxPixels: 10 }, itself), {
    code: 'RESOURCE_LIMIT',
  });
});

test('a source goes some seconds after its last use, and not while it is used', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { sources, looks } = countingSources();
  await sources.use(photo(facePath), async () => context.mock.timers.tick(60_000));
  context.mock.timers.tick(4999);
  await sources.use(photo(facePath), itself);
  assert.equal(looks(), 1);
  context.mock.timers.tick(5001);
  await sources.use(photo(facePath), itself);
  assert.equal(looks(), 2);
});
