import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { FACE_TRAITS, type FaceTrait } from '@guise/contract/work.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import sharp from 'sharp';
import { fixture, skipWithoutFixtures } from '../../../../scripts/fixtures.ts';
import { readRgb } from '../../../../scripts/read-rgb.ts';
import { readSampleFaces } from '../samples/sample-faces.ts';
import { engine } from './testing/test-engine.ts';

/** Faces that have a trait, as seen by people: portraits, and faces of groups by size. */
const LABELS: Readonly<Record<FaceTrait, string>> = {
  covered: 'p53 g05#0 g08#2 g08#5 g09#1 g09#2 g11#4 g11#6 g11#7 p51',
  'dark-glasses': 'p53 g05#2 g08#2 g08#4',
  'half-shut-eyes': 'p21 p41 g05#5 g05#7 g08#3 g08#5 g11#4 g11#6 g39#1',
  'black-and-white': 'p25 p27',
  blurred: 'p28',
};
/** Least share of what is found that people see, too. */
const MIN_PRECISION = 0.9;
/** Least number of faces on which each trait is found. */
const MIN_FOUND: Readonly<Record<FaceTrait, number>> = {
  covered: 2,
  'dark-glasses': 1,
  'half-shut-eyes': 3,
  'black-and-white': 2,
  blurred: 1,
};
/** Most faces of a group photo, the widest first. */
const FACES_A_GROUP = 8;

async function traitsOf(image: RgbImage): Promise<readonly FaceTrait[]> {
  const [face] = await engine.detect(image);
  return (await engine.review(image, face!)).traits;
}

test('a clear portrait has no traits, without its colours it is black and white, unsharp it is blurred', async () => {
  const { face } = await readSampleFaces();
  assert.deepEqual(await traitsOf(await readRgb(face)), []);
  const grey = await sharp(face).greyscale().png().toBuffer();
  assert.deepEqual(await traitsOf(await readRgb(grey)), ['black-and-white']);
  const blurred = await sharp(face).resize(64).toBuffer();
  assert.deepEqual(await traitsOf(await readRgb(await sharp(blurred).resize(768).png().toBuffer())), [
    'blurred',
  ]);
});

test('what excuses a source is found on a target by the faster review too', async () => {
  const { face } = await readSampleFaces();
  const source = await readRgb(await sharp(face).greyscale().png().toBuffer());
  const swapped = await engine.swapImage({
    source,
    target: source,
    restore: { faceRestoreVisibility: 1, restoreVisibility: 1 },
  });
  const review = await swapped.review();
  assert.deepEqual([review.source.traits, review.target.traits], [['black-and-white'], ['black-and-white']]);
});

describe('the faces of the fixtures', { skip: skipWithoutFixtures }, () => {
  test('whatever is found is seen by people, nine times of ten and more', async () => {
    const found = await foundOnFixtures();
    for (const trait of FACE_TRAITS) {
      const seen = new Set(LABELS[trait].split(' '));
      const names = found.filter(({ traits }) => traits.includes(trait)).map(({ name }) => name);
      const right = names.filter((name) => seen.has(name));
      const wrong = names.filter((name) => !seen.has(name));
      assert.ok(right.length >= MIN_FOUND[trait], `${trait} is found on ${right.join(' ')} only`);
      assert.ok(right.length >= MIN_PRECISION * names.length, `${trait} is wrong on ${wrong.join(' ')}`);
    }
  });
});

async function foundOnFixtures(): Promise<
  { readonly name: string; readonly traits: readonly FaceTrait[] }[]
> {
  const found = [];
  for (const folder of ['portraits', 'groups']) {
    for (const file of (await readdir(fixture(folder))).sort()) {
      const image = await readRgb(fixture(path.join(folder, file)));
      const faces = (await engine.detect(image)).sort((a, b) => b.box.width - a.box.width);
      const many = folder === 'groups';
      for (const [k, face] of faces.slice(0, many ? FACES_A_GROUP : 1).entries()) {
        const name = file.split('_')[0]! + (many ? `#${k}` : '');
        found.push({ name, traits: (await engine.review(image, face)).traits });
      }
    }
  }
  return found;
}
