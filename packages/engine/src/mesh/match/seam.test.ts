import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { TargetFace } from '../target/target-face.ts';
import { matchTone } from './tone.ts';

const layouts = createAtlasLayouts(await loadCanonicalFace());
const SIDE = 256;

function flat(side: number, luma: number, blue: number, red: number): Atlas {
  const plane = (value: number): Float32Array => new Float32Array(side * side).fill(value);
  return { side, luma: plane(luma), blue: plane(blue), red: plane(red), facing: plane(1) };
}

function target(luma: number, skin: number, front = new Float32Array(COARSE_SIDE * COARSE_SIDE)): TargetFace {
  const small = flat(COARSE_SIDE, luma, -10, 20);
  const rim = front.map((covered) => skin * (1 - covered));
  // The membrane reads only the coarse atlas, the rim to meet, and what is in front of a target.
  return { small, rim, front } as unknown as TargetFace;
}

/** Computes the seam alone, without any of the target's relief. */
function meet(lit: Atlas, face: TargetFace): readonly Float32Array[] {
  return matchTone(lit, face, face.small, 0, 0, layouts(SIDE));
}

/** Returns the oval's texel `share` of the way from the middle (0) to the forehead's edge (1). */
function upwards(share: number): number {
  const layout = layouts(SIDE);
  const x = SIDE / 2;
  let top = 0;
  while (layout.oval[top * SIDE + x] === 0) top++;
  return Math.round(SIDE / 2 + share * (top + 1 - SIDE / 2)) * SIDE + x;
}

test('at the edge the face takes the tone of the skin beside it, in the middle it keeps its own', () => {
  const lit = flat(SIDE, 120, -10, 20);
  meet(lit, target(150, 1));
  assert.ok(Math.abs(lit.luma[upwards(1)]! - 150) < 4, `edge ${lit.luma[upwards(1)]}`);
  assert.ok(Math.abs(lit.luma[upwards(0)]! - 120) < 2, `middle ${lit.luma[upwards(0)]}`);
});

test('what passes from edge to middle has no step', () => {
  const lit = flat(SIDE, 120, -10, 20);
  meet(lit, target(150, 1));
  for (let share = 1; share > 0.1; share -= 0.02) {
    const step = lit.luma[upwards(share)]! - lit.luma[upwards(share - 0.02)]!;
    assert.ok(step > -1 && step < 4, `step ${step} at ${share}`);
  }
});

test('colours are met further inwards than light', () => {
  const lit = flat(SIDE, 120, -30, 40);
  meet(lit, target(140, 1));
  const luma = (lit.luma[upwards(0.8)]! - 120) / 20;
  const red = (40 - lit.red[upwards(0.8)]!) / 20;
  assert.ok(red > luma + 0.2, `red ${red}, luma ${luma}`);
  assert.ok(Math.abs(lit.red[upwards(0)]! - 40) < 1, `middle ${lit.red[upwards(0)]}`);
});

test('beside hair that hangs in, the face takes the tone of the skin there', () => {
  const bare = flat(SIDE, 120, -10, 20);
  meet(bare, target(90, 1));
  const lit = flat(SIDE, 120, -10, 20);
  const hangsIn = new Float32Array(COARSE_SIDE * COARSE_SIDE).fill(1, 0, (COARSE_SIDE * COARSE_SIDE) / 4);
  meet(lit, target(90, 1, hangsIn));
  const beside = (SIDE / 4 + 3) * SIDE + SIDE / 2;
  assert.ok(Math.abs(bare.luma[beside]! - 120) < 3, `without hair ${bare.luma[beside]}`);
  assert.ok(Math.abs(lit.luma[beside]! - 90) < 13, `beside hair ${lit.luma[beside]}`);
});

test('where the target shows no skin beside the face nothing is changed', () => {
  const lit = flat(SIDE, 120, -10, 20);
  meet(lit, target(150, 0));
  assert.ok(lit.luma.every((value) => Math.abs(value - 120) < 0.01));
});

test('a video gets the same steps, in a coarse atlas planes of their own', () => {
  const lit = flat(SIDE, 120, -10, 20);
  const [luma, blue, red] = meet(lit, target(150, 1));
  const factor = SIDE / COARSE_SIDE;
  const cell = (texel: number): number =>
    Math.floor(Math.floor(texel / SIDE) / factor) * COARSE_SIDE + Math.floor((texel % SIDE) / factor);
  assert.ok(Math.abs(luma![cell(upwards(1))]! - 30) < 4, `edge ${luma![cell(upwards(1))]}`);
  assert.ok(Math.abs(luma![cell(upwards(0))]!) < 2, `middle ${luma![cell(upwards(0))]}`);
  assert.ok(blue!.every((value) => Math.abs(value) < 0.01) && red!.every((value) => Math.abs(value) < 0.01));
});
