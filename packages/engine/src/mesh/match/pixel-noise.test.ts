import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grainAt } from '@guise/kernels/grain.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { inImageAxes } from '../../face/geometry/pose.ts';
import { mostGrain } from './pixel-noise.ts';

const SIDE = 400;
const upright = inImageAxes((await loadCanonicalFace()).vertices);
const landmarks = upright.map((value, i) => (i % 3 === 2 ? value : value * 15 + SIDE / 2));

function picture(lumaOf: (x: number, y: number) => number): RgbImage {
  const data = new Uint8Array(3 * SIDE * SIDE);
  for (let i = 0; i < data.length; i++) {
    const pixel = Math.floor(i / 3);
    data[i] = Math.round(lumaOf(pixel % SIDE, Math.floor(pixel / SIDE)));
  }
  return { data, width: SIDE, height: SIDE };
}

/** Paints shading, and edges along the grid. */
const shaded = (x: number, y: number): number => 90 + 0.2 * x + 12 * Math.sin(y / 9) + (x % 40 < 20 ? 0 : 25);

test("noise of a face's pixels is read beneath its shading and edges", () => {
  for (const sigma of [1.5, 3]) {
    const noisy = picture((x, y) => shaded(x, y) + sigma * grainAt(x, y));
    const most = mostGrain(noisy, landmarks, 100);
    assert.ok(Math.abs(most - sigma) < 0.15 * sigma + 0.2, `${most} for ${sigma}`);
  }
  assert.ok(mostGrain(picture(shaded), landmarks, 100) < 0.7);
});

test('a large face may have as much again for its pores', () => {
  const noisy = picture((x, y) => 120 + 2 * grainAt(x, y));
  assert.equal(mostGrain(noisy, landmarks, 400), 2 * mostGrain(noisy, landmarks, 90));
});

test('nothing is said where the picture is burnt out or shows no cheek', () => {
  assert.equal(
    mostGrain(
      picture(() => 255),
      landmarks,
      100,
    ),
    Infinity,
  );
  const outside = landmarks.map((value) => value + 2 * SIDE);
  assert.equal(
    mostGrain(
      picture(() => 120),
      outside,
      100,
    ),
    Infinity,
  );
});
