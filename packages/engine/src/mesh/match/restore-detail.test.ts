import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { restoreDetail } from './restore-detail.ts';

const SIDE = 64;
const layout = { side: SIDE };
/** Texture of a face of a hundred pixels in an atlas of 512. */
const soft = { pixelTexels: 3, blur: 6.5 };
const sharp = { pixelTexels: 1, blur: 1 };

/** Paints a dark and a light half with a soft edge between them. */
function edge(): Float32Array {
  const luma = Float32Array.from({ length: SIDE * SIDE }, (_, i) => (i % SIDE < SIDE / 2 ? 60 : 160));
  boxBlur(luma, SIDE, SIDE, 2, 3);
  return luma;
}

function restored(luma: Float32Array, how: typeof soft, strength: number): Float32Array {
  return restoreDetail(luma, layout, how, strength);
}

/** Returns the middle row inside the atlas, because its border is outside every face. */
function middleRow(luma: Float32Array): Float32Array {
  return luma.subarray((SIDE / 2) * SIDE + 8, (SIDE / 2 + 1) * SIDE - 8);
}

/** Returns the steepest step of the middle row. */
function steepness(luma: Float32Array): number {
  const row = middleRow(luma);
  return row.reduce((most, value, x) => (x === 0 ? 0 : Math.max(most, Math.abs(value - row[x - 1]!))), 0);
}

test('strength 0 changes nothing, to the bit', () => {
  const raw = edge();
  for (const how of [soft, sharp]) {
    const same = restored(raw, how, 0);
    assert.ok(Buffer.from(same.buffer).equals(Buffer.from(raw.buffer)));
  }
});

test('a soft edge becomes clearly steeper, without a halo beside it', () => {
  const raw = edge();
  const full = restored(raw, soft, 1);
  assert.ok(steepness(full) > 1.3 * steepness(raw), `${steepness(full)} from ${steepness(raw)}`);
  const [least, most] = [Math.min(...middleRow(full)), Math.max(...middleRow(full))];
  // The picture's range is 100; a tenth of it is hardly visible.
  assert.ok(least > 50 && most < 170, `${least} to ${most}`);
});

test('every texel moves in proportion to the strength', () => {
  const raw = edge();
  for (const how of [soft, sharp]) {
    const full = restored(raw, how, 1);
    for (const strength of [0.25, 0.5, 0.75]) {
      const part = restored(raw, how, strength);
      for (let i = 0; i < raw.length; i++) {
        const wanted = raw[i]! + strength * (full[i]! - raw[i]!);
        assert.ok(Math.abs(part[i]! - wanted) < 1e-3, `${part[i]} for ${wanted}`);
      }
    }
  }
});

test('the softer the face, the more is brought out', () => {
  const raw = edge();
  const steps = [1, 2.7, 4, 5.4].map((blur) => steepness(restored(raw, { pixelTexels: 1, blur }, 1)));
  for (let k = 1; k < steps.length; k++) assert.ok(steps[k]! > steps[k - 1]!, steps.join(' '));
});

test('grain is not taken for detail', () => {
  const flat = Float32Array.from({ length: SIDE * SIDE }, (_, i) => 120 + ((i * 7919) % 5) * 0.1);
  const full = restored(flat, soft, 1);
  assert.ok(full.every((value, i) => Math.abs(value - flat[i]!) < 0.2));
});
