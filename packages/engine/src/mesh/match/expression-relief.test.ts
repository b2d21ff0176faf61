import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import type { TargetFace } from '../target/target-face.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { Atlas } from '../uv/atlas.ts';
import { shrinkAtlas } from '../uv/atlas.ts';
import { matchExpression, smileSurplus } from './expression-relief.ts';

const layout = createAtlasLayouts(await loadCanonicalFace())(256);
/** Luma of plain skin. */
const SKIN_LUMA = 160;
/** Vertex of the fold beside the mouth. */
const FOLD = 216;
/** Corner of the mouth. */
const CORNER = 61;
/** Vertices of the right half of the skin above the lips. */
const UPPER_LIP = [164, 167, 165];
/** Vertex that no smile folds. */
const FOREHEAD = 151;

/** Paints plain skin with dark spots, as shares of luma, at these vertices and their mirrors. */
function faceWith(spots: Readonly<Record<number, number>>): Atlas {
  return paintedAtlas(layout.side, (u, v) => {
    let luma = SKIN_LUMA;
    for (const [vertex, depth] of Object.entries(spots)) {
      const x = layout.points[2 * Number(vertex)]! / layout.side;
      const y = layout.points[2 * Number(vertex) + 1]! / layout.side;
      const distance = Math.hypot(Math.min(u, 1 - u) - Math.min(x, 1 - x), v - y);
      if (distance < 0.02) luma -= depth * SKIN_LUMA;
    }
    return [luma, -10, 15];
  });
}

function plane(value: number): Float32Array {
  return new Float32Array(COARSE_SIDE * COARSE_SIDE).fill(value);
}

function targetOf(face: Atlas, veil = 0): TargetFace {
  return {
    small: shrinkAtlas(face, COARSE_SIDE),
    skin: plane(1),
    light: { luma: plane(SKIN_LUMA), blue: plane(-10), red: plane(15) },
    occluded: new Float32Array(layout.side * layout.side),
    veil,
  } as unknown as TargetFace;
}

function matched(source: Atlas, target: Atlas, surplus: number): Atlas {
  const lit = { ...source, luma: source.luma.slice(), blue: source.blue.slice(), red: source.red.slice() };
  matchExpression(lit, targetOf(target), surplus, layout, ordinaryPlanes);
  return lit;
}

function texelAt(vertex: number, side: number): number {
  const [x, y] = [0, 1].map((k) => (layout.points[2 * vertex + k]! * side) / layout.side);
  return Math.floor(y!) * side + Math.floor(x!);
}

/** Measures how much darker than plain skin a face is at a vertex, as a share. */
function depthAt({ luma, side }: Atlas, vertex: number): number {
  return 1 - luma[texelAt(vertex, side)]! / SKIN_LUMA;
}

test("a smile's folds go where the mouth is calm, in proportion, and nothing else does", () => {
  const smiling = faceWith({ [FOLD]: 0.25, [CORNER]: 0.25, [FOREHEAD]: 0.25 });
  const calm = faceWith({});
  const whole = matched(smiling, calm, 1);
  assert.ok(depthAt(whole, CORNER) < 0.06, `depth ${depthAt(whole, CORNER)}`);
  assert.ok(depthAt(whole, FOLD) < 0.06, `depth ${depthAt(whole, FOLD)}`);
  const half = depthAt(matched(smiling, calm, 0.5), FOLD);
  assert.ok(half > 0.08 && half < 0.17, `half ${half}`);
  assert.equal(depthAt(whole, FOREHEAD), depthAt(smiling, FOREHEAD));
});

test("they come where the target smiles, but not as deep as a stranger's", () => {
  const depth = depthAt(matched(faceWith({}), faceWith({ [FOLD]: 0.25 }), -1), FOLD);
  assert.ok(depth > 0.04 && depth < 0.061, `depth ${depth}`);
});

test('folds that the smiles do not explain stay whose they are', () => {
  const folded = faceWith({ [FOLD]: 0.2 });
  const plain = faceWith({});
  assert.ok(depthAt(matched(folded, plain, -1), FOLD) > 0.19);
  assert.ok(depthAt(matched(plain, folded, 1), FOLD) < 0.01);
});

test('smiles that are alike change no bit', () => {
  const source = faceWith({ [FOLD]: 0.25 });
  const { luma, blue, red } = matched(source, faceWith({}), smileSurplus(0.22, 0.2));
  assert.deepEqual([luma, blue, red], [source.luma, source.blue, source.red]);
});

test('a beard is no fold: it stays below a moustache', () => {
  const bearded = faceWith({ [FOLD]: 0.25, ...Object.fromEntries(UPPER_LIP.map((v) => [v, 0.4])) });
  assert.ok(depthAt(matched(bearded, faceWith({}), 1), FOLD) > 0.2);
});

test("a fold's fine line goes with its shade", () => {
  const lined = faceWith({ [FOLD]: 0.15 });
  lined.luma[texelAt(FOLD, layout.side)]! -= 0.2 * SKIN_LUMA;
  const depth = depthAt(matched(lined, faceWith({}), 1), FOLD);
  assert.ok(depth < 0.08, `depth ${depth}`);
});

test("where the target's own fold is too dark for its skin, the skin beside it counts", () => {
  const source = faceWith({ [FOLD]: 0.25 });
  const target = targetOf(faceWith({ [FOLD]: 0.7 }));
  for (let i = 0; i < target.skin.length; i++)
    if (target.small.luma[i]! < 0.9 * SKIN_LUMA) target.skin[i] = 0;
  matchExpression(source, target, 1, layout, ordinaryPlanes);
  assert.ok(depthAt(source, FOLD) < 0.1, `depth ${depthAt(source, FOLD)}`);
});

test('what a target hides is not read: hair in front is no relief', () => {
  const source = faceWith({ [FOLD]: 0.25 });
  const lit = { ...source, luma: source.luma.slice() };
  const target = targetOf(faceWith({}));
  matchExpression(lit, { ...target, occluded: target.occluded.fill(1) }, 1, layout, ordinaryPlanes);
  assert.equal(depthAt(lit, FOLD), depthAt(source, FOLD));
});

test('a veil lies over both faces and hides no fold', () => {
  const hazy = faceWith({ [FOLD]: 0.25 });
  for (let i = 0; i < hazy.luma.length; i++) hazy.luma[i]! += 30;
  matchExpression(hazy, targetOf(faceWith({}), 30), 1, layout, ordinaryPlanes);
  const depth = depthAt(hazy, FOLD) + 30 / SKIN_LUMA;
  assert.ok(depth < 0.06, `depth ${depth}`);
});
