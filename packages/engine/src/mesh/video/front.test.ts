import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { emptyFront } from '../front/front.ts';
import { spottedFace } from '../testing/spotted-face.ts';
import type { Atlas } from '../uv/atlas.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { TrackFront } from './front.ts';
import { TRACK_SIDE } from './light.ts';

const side = TRACK_SIDE;
const smallLayout = createAtlasLayouts(await loadCanonicalFace())(side);
const pyramid = new ImagePyramid({ data: new Uint8Array(12), width: 2, height: 2 });
const landmarks = new Float32Array(478 * 3);

/** An evenly lit face with a dark square of `across` texels. */
const face = (across: number, light = 120): Atlas => spottedFace(side, across, light, 20);

/** Shows a face at some times, and returns those at which it was looked at. */
async function looksAt(shown: (seconds: number) => Atlas, until: number, wanted?: number): Promise<number[]> {
  const looks: number[] = [];
  let now = 0;
  const front = new TrackFront(() => {
    looks.push(now);
    return Promise.resolve(emptyFront());
  });
  for (; now < until; now = Math.round(10 * now + 3) / 10) {
    const moment = { timeSeconds: now, small: shown(now), smallLayout };
    await front.at({ ...moment, isFirst: now === 0, isWanted: now === wanted }, pyramid, landmarks);
  }
  return looks;
}

test('a face that stays as it is is looked at once in two seconds, also in another light', async () => {
  assert.deepEqual(await looksAt(() => face(0), 4), [0, 2.1]);
  assert.deepEqual(await looksAt((seconds) => face(0, 120 + 2 * seconds), 4), [0, 2.1]);
});

test('a face is looked at again at once if a lot of it shows something else, and later if it is little', async () => {
  assert.deepEqual(await looksAt((seconds) => face(seconds > 1 ? 24 : 0), 2), [0, 1.2]);
  assert.deepEqual(await looksAt((seconds) => face(seconds > 0.2 ? 8 : 0), 2), [0, 0.9]);
});

test('a look that is wanted is never left out', async () => {
  assert.deepEqual(await looksAt(() => face(0), 2, 0.6), [0, 0.6]);
});
