import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RgbImage } from '@guise/kernels/image.ts';
import { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { readRgb } from '../../../../../scripts/read-rgb.ts';
import { seededRandom } from '../../../../../scripts/seeded-order.ts';
import { drawGlasses } from '../../../../../training/draw/draw-glasses.ts';
import { createFaceAnalyser } from '../../face/detect/analyser.ts';
import { largestFace } from '../../face/detect/largest-face.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { readSampleFaces } from '../../samples/sample-faces.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { unwrapFace } from '../uv/atlas.ts';
import { type Front, FRONT_KINDS, FRONT_SIDE } from './front.ts';
import { lookInFront } from './look-in-front.ts';
import { sessions } from '../../models/testing/test-sessions.ts';

/** Number of pairs of glasses to draw on the sample face. */
const PAIRS = 12;
const layout = createAtlasLayouts(await loadCanonicalFace())(FRONT_SIDE);

const bare = await readRgb((await readSampleFaces()).face);
const landmarks = largestFace(await createFaceAnalyser(sessions).detect(bare))!.landmarks;

const look = (image: RgbImage): Promise<Front> =>
  lookInFront(sessions.inFront, layout, new ImagePyramid(image), landmarks);

const lumaOf = (image: RgbImage): Float32Array => unwrapFace(layout, new ImagePyramid(image), landmarks).luma;

/** Averages the values above a bound in the middle of the face, where the network learned faces. */
function shareAbove(plane: Float32Array, bound: number): number {
  const { core } = layout;
  let above = 0;
  let area = 0;
  for (const [i, inside] of core.entries()) {
    area += inside;
    if (plane[i]! > bound) above += inside;
  }
  return above / area;
}

test('nothing lies in front of a bare face', async () => {
  const { shares, needed } = await look(bare);
  for (const kind of FRONT_KINDS) assert.ok(shareAbove(shares[kind], 0.5) < 0.01, kind);
  assert.ok(shareAbove(needed, 0.5) < 0.01);
});

test('most of what is drawn of a frame is found, and the face behind it is nearer to the bare one', async () => {
  const before = lumaOf(bare);
  let found = 0;
  let drawn = 0;
  let covered = 0;
  let repaired = 0;
  for (let seed = 1; seed <= PAIRS; seed++) {
    const image = { ...bare, data: bare.data.slice() };
    drawGlasses(image, landmarks, seededRandom(seed));
    const worn = lumaOf(image);
    const front = await look(image);
    const { frame, lens } = front.shares;
    for (const [i, share] of front.needed.entries()) {
      const step = Math.abs(worn[i]! - before[i]!);
      // A lens changes little, a frame changes much.
      if (step < 40 || layout.oval[i] === 0 || Math.abs((i % FRONT_SIDE) / FRONT_SIDE - 0.5) > 0.3) continue;
      drawn += 1;
      if (frame[i]! + lens[i]! > 0.5) found += 1;
      covered += step;
      repaired += Math.abs(worn[i]! + share * (front.bare.luma[i]! - worn[i]!) - before[i]!);
    }
  }
  assert.ok(found > 0.7 * drawn, `${found} of ${drawn} texels`);
  assert.ok(repaired < 0.5 * covered, `${repaired / drawn} levels of ${covered / drawn}`);
});
