import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitSimilarity3d } from './rigid-fit.ts';

const POINTS = Float64Array.of(0, 0, 0, 4, 1, 0, 1, 5, 2, -2, 3, 6, 3, -3, 1);

/** Rotation by `angle` about the unit axis (Rodrigues), row-major. */
function rotationAbout([x, y, z]: readonly [number, number, number], angle: number): number[] {
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const t = 1 - c;
  return [
    t * x * x + c,
    t * x * y - s * z,
    t * x * z + s * y,
    t * x * y + s * z,
    t * y * y + c,
    t * y * z - s * x,
    t * x * z - s * y,
    t * y * z + s * x,
    t * z * z + c,
  ];
}

for (const angle of [0, 0.3, 2, Math.PI]) {
  test(`a similarity with a rotation by ${angle.toFixed(1)} radians is recovered, whatever a point of weight 0 does`, () => {
    const rotation = rotationAbout([2 / 3, -1 / 3, 2 / 3], angle);
    const moved = new Float64Array(POINTS.length);
    for (let i = 0; i < POINTS.length; i += 3) {
      for (let row = 0; row < 3; row++) {
        let sum = 0;
        for (let k = 0; k < 3; k++) sum += rotation[3 * row + k]! * POINTS[i + k]!;
        moved[i + row] = 2.5 * sum + [7, -8, 9][row]!;
      }
    }
    moved[12] = 1000;
    const fit = fitSimilarity3d(POINTS, moved, [1, 2, 1, 0.5, 0]);
    assert.ok(Math.abs(fit.scale - 2.5) < 1e-9);
    rotation.forEach((value, i) => assert.ok(Math.abs(fit.rotation[i]! - value) < 1e-6));
    [7, -8, 9].forEach((value, i) => assert.ok(Math.abs(fit.translation[i]! - value) < 1e-5));
  });
}
