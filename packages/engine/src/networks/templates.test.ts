import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyAffine, invertAffine } from '@guise/kernels/affine.ts';
import { cropToImage, fivePoints, type TemplateName, TEMPLATES } from './templates.ts';
import { landmarksAt } from './testing/painted-face.ts';

const NAMES = Object.keys(TEMPLATES) as TemplateName[];

test('the five points are the eyes, the tip of the nose and the corners of the mouth', () => {
  const { points } = TEMPLATES['arcface-128'];
  fivePoints(landmarksAt(128)).forEach((value, k) =>
    assert.ok(Math.abs(value - points[k]! - 0.5) < 1e-4, `${value} ${points[k]}`),
  );
});

/**
 * Maps from the crop to the picture for a face that lies as `arcface-128` says, first row and then
 * second, with the centre of the first pixel at 0: numpy's least squares over the same points.
 */
const MAPS: Record<TemplateName, readonly number[]> = {
  'arcface-128': [1, 0, 0, 0, 1, 0],
  'arcface-112-v2': [1, 0, 8, 0, 1, 0],
  'arcface-112-v1': [1.112_88, 0.006_18, 1.279_03, -0.006_18, 1.112_88, -4.494_82],
  'ffhq-512': [0.294_1, 5e-5, -11.446_28, -5e-5, 0.294_1, -18.477_83],
  'mtcnn-512': [0.257_35, 0, -1.882_53, 0, 0.257_35, -9.882_28],
  'whole-face-256': [0.530_74, 9e-5, -2.688_12, -9e-5, 0.530_74, -1.481_13],
};

for (const name of NAMES)
  test(`${name}: the crop lies where the template says, to a thousandth of a pixel`, () => {
    const [a, b, c, d, e, f] = cropToImage(name, TEMPLATES[name].side, landmarksAt(128));
    // This map's first pixel has its centre at 0.5.
    const found = [a, b, c + (a + b - 1) / 2, d, e, f + (d + e - 1) / 2];
    MAPS[name].forEach((value, k) => assert.ok(Math.abs(found[k]! - value) < 1e-3, `${found}`));
  });

test('a turned and smaller face gets a turned and smaller crop', () => {
  const landmarks = landmarksAt(128);
  const turned = landmarks.slice();
  for (let k = 0; k < landmarks.length; k += 3) {
    turned[k] = 300 - 0.5 * landmarks[k + 1]!;
    turned[k + 1] = 40 + 0.5 * landmarks[k]!;
  }
  const map = cropToImage('arcface-128', 128, turned);
  const [x, y] = applyAffine(map, 20, 30);
  assert.ok(Math.abs(x - 285) < 1e-3 && Math.abs(y - 50) < 1e-3, `${x} ${y}`);
  const [u, v] = applyAffine(invertAffine(map), x, y);
  assert.ok(Math.abs(u - 20) < 1e-3 && Math.abs(v - 30) < 1e-3, `${u} ${v}`);
});
