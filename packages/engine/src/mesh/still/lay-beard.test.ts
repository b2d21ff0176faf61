import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { FRONT_SIDE } from '../front/front.ts';
import { paintedFront } from '../testing/painted-front.ts';
import { layBeard } from './lay-beard.ts';

const COUNT = FRONT_SIDE * FRONT_SIDE;
const BARE = [150, -15, 25] as const;

/** Makes an atlas of one colour. */
const atlasOf = ([luma, blue, red]: readonly [number, number, number]) => ({
  side: FRONT_SIDE,
  luma: new Float32Array(COUNT).fill(luma),
  blue: new Float32Array(COUNT).fill(blue),
  red: new Float32Array(COUNT).fill(red),
  facing: new Float32Array(COUNT).fill(1),
});
const front = paintedFront(() => ({ bare: BARE }));
const everywhere = new Float32Array(COUNT).fill(1);
const lay = (lit: ReturnType<typeof atlasOf>, target: ReturnType<typeof atlasOf>, share = everywhere): void =>
  layBeard(lit, { atlas: target, veil: 0 }, share, front, ordinaryPlanes);

test('a face like the bare skin behind the beard becomes the bearded target', () => {
  const lit = atlasOf(BARE);
  lay(lit, atlasOf([60, -4, 8]));
  assert.ok(Math.abs(lit.luma[0]! - 60) < 5, `${lit.luma[0]}`);
  assert.ok(Math.abs(lit.blue[0]! + 4) < 1 && Math.abs(lit.red[0]! - 8) < 1);
});

test('a beard darkens another face by the same factor', () => {
  const lit = atlasOf([100, -10, 15]);
  lay(lit, atlasOf([75, -7.5, 12.5]));
  assert.ok(Math.abs(lit.luma[0]! / 100 - 0.53) < 0.03, `${lit.luma[0]}`);
});

test('where there is no beard, no bit changes', () => {
  const lit = atlasOf([100, -10, 15]);
  lay(lit, atlasOf([20, 0, 0]), new Float32Array(COUNT));
  assert.deepEqual(lit, atlasOf([100, -10, 15]));
});

test('bare skin that was guessed too dark makes no beard glow', () => {
  const lit = atlasOf([100, -10, 15]);
  layBeard(
    lit,
    { atlas: atlasOf([200, 0, 0]), veil: 0 },
    everywhere,
    paintedFront(() => ({ bare: [5, 0, 0] })),
    ordinaryPlanes,
  );
  assert.ok(lit.luma[0]! <= 180);
});

test('on a black-and-white target a beard brings no colour', () => {
  const lit = atlasOf([100, 0, 0]);
  const target = { atlas: atlasOf([50, 0, 0]), veil: 0 };
  layBeard(lit, target, everywhere, front, ordinaryPlanes);
  assert.equal(lit.blue[0], 0);
  assert.equal(lit.red[0], 0);
});
