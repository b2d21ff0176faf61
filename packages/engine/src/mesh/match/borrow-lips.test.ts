import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { Atlas } from '../uv/atlas.ts';
import { lipMasks } from '../uv/lip-masks.ts';
import { borrowLips, lipDetail, type LipShares } from './borrow-lips.ts';

const SIDE = 256;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);
const { whole } = lipMasks(layout);
const [SKIN_LUMA, CHIN, LIP] = [160, 199, 16];
const NONE: LipShares = { tone: 0, colour: 0, detail: 0 };

/** Paints skin whose lips are darker and redder by so many levels, with noise everywhere. */
function faceWith(lips: number, noise = 0, seed = 0): Atlas {
  return paintedAtlas(SIDE, (_u, _v, i) => {
    const grain = noise * ((((i + seed) * 7919) % 41) / 20 - 1);
    return [SKIN_LUMA - lips * whole[i]! + grain, -10, 15 + lips * whole[i]!];
  });
}

function texelAt(vertex: number): number {
  const [x, y] = [0, 1].map((k) => Math.floor(layout.points[2 * vertex + k]!));
  return y! * SIDE + x!;
}

function borrowed(source: Atlas, target: Atlas, shares: LipShares, front = 0): Atlas {
  const lit = { ...source, luma: source.luma.slice(), blue: source.blue.slice(), red: source.red.slice() };
  const face = { atlas: target, occluded: new Float32Array(SIDE * SIDE).fill(front) };
  borrowLips(lit, face, shares, 2, layout, ordinaryPlanes);
  return lit;
}

/** Root mean square difference of two lumas near the lip's middle, each without its mean. */
function unlikeness(a: Atlas, b: Atlas): number {
  const steps: number[] = [];
  for (let x = -8; x <= 8; x++) steps.push(a.luma[texelAt(LIP) + x]! - b.luma[texelAt(LIP) + x]!);
  const mean = steps.reduce((sum, step) => sum + step, 0) / steps.length;
  return Math.sqrt(steps.reduce((sum, step) => sum + (step - mean) ** 2, 0) / steps.length);
}

test("lips of a lightened face are the target's, and its chin is not", () => {
  const [source, target] = [faceWith(60, 12), faceWith(30, 3, 17)];
  const lit = borrowed(source, target, { ...NONE, tone: 1, detail: lipDetail(1, 0) });
  assert.ok(Math.abs(lit.luma[texelAt(LIP)]! - target.luma[texelAt(LIP)]!) < 1);
  assert.ok(Math.abs(lit.red[texelAt(LIP)]! - target.red[texelAt(LIP)]!) < 1);
  assert.equal(lit.luma[texelAt(CHIN)], source.luma[texelAt(CHIN)]);
});

test("lips of too few pixels keep their tone and take the target's detail", () => {
  const [source, target] = [faceWith(60, 12), faceWith(30, 3, 17)];
  assert.ok(unlikeness(source, target) > 4, `${unlikeness(source, target)}`);
  const lit = borrowed(source, target, { ...NONE, detail: lipDetail(0, 1) });
  assert.ok(unlikeness(lit, target) < 0.5 * unlikeness(source, target), `${unlikeness(lit, target)}`);
  assert.ok(Math.abs(lit.luma[texelAt(LIP)]! - (SKIN_LUMA - 60)) < 10, `${lit.luma[texelAt(LIP)]}`);
});

test("lips in a beard take the target's tone and keep their own detail", () => {
  const [source, target] = [faceWith(60, 12), faceWith(30, 3, 17)];
  const lit = borrowed(source, target, { ...NONE, tone: 1 });
  assert.ok(unlikeness(lit, source) < 2, `${unlikeness(lit, source)}`);
  const red = lit.red[texelAt(LIP)]!;
  assert.ok(Math.abs(red - target.red[texelAt(LIP)]!) < 8, `${red}`);
});

test("lips without colour take the target's, and keep their own luma", () => {
  const [source, target] = [faceWith(60, 12), faceWith(30)];
  const lit = borrowed(source, target, { ...NONE, colour: 1 });
  assert.deepEqual(lit.luma, source.luma);
  const red = lit.red[texelAt(LIP)]!;
  assert.ok(Math.abs(red - target.red[texelAt(LIP)]!) < 8, `${red}`);
});

test('no bit changes at shares of 0, nor of lips behind what is in front', () => {
  const source = faceWith(40, 6);
  for (const lit of [
    borrowed(source, faceWith(30), NONE),
    borrowed(source, faceWith(30), { ...NONE, tone: 1, detail: 1 }, 1),
  ])
    assert.deepEqual([lit.luma, lit.blue, lit.red], [source.luma, source.blue, source.red]);
});
