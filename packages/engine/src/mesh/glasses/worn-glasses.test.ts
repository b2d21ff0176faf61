import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { seededRandom } from '../../../../../scripts/seeded-order.ts';
import { drawDistractors } from '../../../../../bench/glasses/draw-distractors.ts';
import { drawGlasses } from '../../../../../bench/glasses/draw-glasses.ts';
import type { FacePhoto } from '../../../../../bench/glasses/vary-photo.ts';
import { copyPhoto } from '../../../../../bench/glasses/vary-photo.ts';
import { readRgb } from '../../../../../scripts/read-rgb.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { createEngine } from '../../pipeline/engine.ts';
import { readSampleFaces } from '../../samples/sample-faces.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { unwrapFace } from '../uv/atlas.ts';
import { decideWorn, wornGlasses } from './worn-glasses.ts';

const layouts = createAtlasLayouts(await loadCanonicalFace());
const SIDES = [128, 256, 512];
/** A computer-generated face without glasses, which nothing was trained on. */
let bare: FacePhoto;
let modelCacheDir: string;

before(async () => {
  modelCacheDir = await mkdtemp(path.join(os.tmpdir(), 'guise-worn-'));
  const engine = await createEngine({ modelCacheDir });
  const image = await readRgb((await readSampleFaces()).face);
  const [face] = await engine.detect(image);
  await engine.close();
  bare = { image, landmarks: face!.landmarks };
});

after(() => rm(modelCacheDir, { recursive: true }));

function logOddsOf({ image, landmarks }: FacePhoto, side: number): number {
  return wornGlasses(unwrapFace(layouts(side), new ImagePyramid(image), landmarks)).logOdds;
}

test('a bare face wears no glasses, in an atlas of any size', () => {
  for (const side of SIDES) assert.ok(logOddsOf(bare, side) < -1, `${side}: ${logOddsOf(bare, side)}`);
});

test('drawn glasses are found, nearly all of whatever kind and colour', () => {
  for (const side of SIDES) {
    const found = Array.from({ length: 20 }, (_, seed) => {
      const { image, landmarks } = copyPhoto(bare);
      drawGlasses(image, landmarks, seededRandom(1000 + seed));
      return logOddsOf({ image, landmarks }, side);
    });
    assert.ok(found.filter((logOdds) => logOdds > 0).length >= 17, `${side}: ${found.join(' ')}`);
  }
});

test('bags under the eyes, strands, low brows and edges of shadows are no glasses', () => {
  const told = Array.from({ length: 20 }, (_, seed) => {
    const photo = copyPhoto(bare);
    drawDistractors(photo.image, photo.landmarks, seededRandom(2000 + seed));
    return logOddsOf(photo, 256);
  });
  assert.ok(told.filter((logOdds) => logOdds > 0).length <= 1, told.join(' '));
});

test('a picture without any face in it is told to show none', () => {
  const { image, landmarks } = copyPhoto(bare);
  image.data.fill(0);
  const { logOdds, isWorn } = wornGlasses(unwrapFace(layouts(256), new ImagePyramid(image), landmarks));
  assert.ok(Number.isFinite(logOdds));
  assert.equal(isWorn, decideWorn(logOdds).isWorn);
});
