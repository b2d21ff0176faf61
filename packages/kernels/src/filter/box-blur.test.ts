import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxBlur, boxRadius } from './box-blur.ts';

const clamp = (v: number, last: number): number => Math.max(0, Math.min(last, v));

/** Blurs by definition: the mean of the clamped window, rows then columns. */
function plainBlur(plane: Float32Array, width: number, height: number, radius: number): Float32Array {
  const out = new Float32Array(plane.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let j = -radius; j <= radius; j++) {
        for (let i = -radius; i <= radius; i++)
          sum += plane[clamp(y + j, height - 1) * width + clamp(x + i, width - 1)]!;
      }
      out[y * width + x] = sum / (2 * radius + 1) ** 2;
    }
  }
  return out;
}

function noise(count: number): Float32Array {
  let state = 7;
  return Float32Array.from(
    { length: count },
    () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647,
  );
}

for (const [width, height, radius] of [
  [17, 11, 1],
  [17, 11, 3],
  [5, 4, 7],
  [1, 9, 2],
  [8, 8, 4],
] as const) {
  test(`one pass over ${width} x ${height}, radius ${radius}, is the mean of the window with repeated borders`, () => {
    const plane = noise(width * height);
    const expected = plainBlur(plane, width, height, radius);
    boxBlur(plane, width, height, radius, 1);
    for (const [i, value] of plane.entries()) assert.ok(Math.abs(value - expected[i]!) < 1e-5);
  });
}

test('a constant plane stays constant however often it is blurred', () => {
  const plane = new Float32Array(30 * 20).fill(77);
  boxBlur(plane, 30, 20, 5, 3);
  for (const value of plane) assert.ok(Math.abs(value - 77) < 1e-3);
});

test('three passes of the radius for a sigma spread a point by that sigma', () => {
  for (const sigma of [2, 4.5, 9]) {
    const side = 101;
    const plane = new Float32Array(side * side);
    plane[50 * side + 50] = 1;
    boxBlur(plane, side, side, boxRadius(sigma), 3);
    let variance = 0;
    for (const [i, value] of plane.entries()) variance += value * ((i % side) - 50) ** 2;
    assert.ok(
      Math.abs(Math.sqrt(variance) - sigma) < 0.12 * sigma + 0.3,
      `${Math.sqrt(variance)} for ${sigma}`,
    );
  }
});
