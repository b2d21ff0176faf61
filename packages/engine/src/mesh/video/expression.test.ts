import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import type { Light } from '../skin/light.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { Atlas } from '../uv/atlas.ts';
import { MOUTH_CORNERS } from '../uv/face-regions.ts';
import { TrackExpression, type LitFrame } from './expression.ts';
import { TRACK_SIDE } from './light.ts';

const canonical = await loadCanonicalFace();
const layout = createAtlasLayouts(canonical)(256);
/** Luma of plain skin. */
const SKIN_LUMA = 160;
/** Vertex of the fold beside the mouth, and a vertex that no smile folds. */
const [FOLD, FOREHEAD] = [216, 151];
const FRAME_SECONDS = 0.04;

/** Paints plain skin, darker by this share at the folds beside the mouth. */
function faceWith(side: number, depth: number): Atlas {
  const [x, y] = [layout.points[2 * FOLD]! / layout.side, layout.points[2 * FOLD + 1]! / layout.side];
  return paintedAtlas(side, (u, v) => {
    const isFold = Math.hypot(Math.min(u, 1 - u) - Math.min(x, 1 - x), v - y) < 0.02;
    return [SKIN_LUMA * (isFold ? 1 - depth : 1), -10, 15];
  });
}

function lightOf(side: number): Light {
  const plane = (value: number): Float32Array => new Float32Array(side * side).fill(value);
  return { luma: plane(SKIN_LUMA), blue: plane(-10), red: plane(15) };
}

/** Raises the corners of a face's mouth by so many centimetres. */
function smiling(raised: number): Float32Array {
  const landmarks = canonical.vertices.map((value, i) => (i % 3 === 1 ? -value : value));
  for (const v of MOUTH_CORNERS) landmarks[3 * v + 1]! -= raised;
  return landmarks;
}

const CALM = smiling(0);
const SMILE = smiling(1);

function track(sourceDepth: number, landmarks: Float32Array): TrackExpression {
  const source = { atlas: faceWith(layout.side, sourceDepth), light: lightOf(COARSE_SIDE), landmarks };
  return new TrackExpression(source, layout, 1);
}

/** Draws a frame in which the target has these landmarks and folds of this depth. */
function frame(
  expression: TrackExpression,
  landmarks: Float32Array,
  depth: number,
  isFresh: boolean,
): LitFrame {
  const moment = {
    landmarks,
    target: faceWith(TRACK_SIDE, depth),
    skin: new Float32Array(TRACK_SIDE ** 2).fill(1),
    light: lightOf(TRACK_SIDE),
    veil: 0,
    colour: 1,
    elapsedSeconds: FRAME_SECONDS,
    isFresh,
  };
  return expression.apply(moment, new Float32Array(TRACK_SIDE ** 2).fill(1));
}

/** Measures how much brighter a frame's light is than plain skin's at a vertex, as a share. */
function liftAt({ side, light }: LitFrame, vertex: number): number {
  const [x, y] = [0, 1].map((k) => Math.floor((layout.points[2 * vertex + k]! * side) / layout.side));
  return light.luma[y! * side + x!]! / SKIN_LUMA - 1;
}

test("a source's folds are lifted while the target is calm, and nothing else is", () => {
  const lit = frame(track(0.2, SMILE), CALM, 0, true);
  assert.ok(liftAt(lit, FOLD) > 0.1, `lift ${liftAt(lit, FOLD)}`);
  assert.ok(liftAt(lit, FOLD) < 0.26, `lift ${liftAt(lit, FOLD)}`);
  assert.ok(Math.abs(liftAt(lit, FOREHEAD)) < 1e-6);
});

test('smiles that are alike leave the very light that a frame was given', () => {
  const expression = track(0.2, SMILE);
  const lit = frame(expression, SMILE, 0.2, true);
  assert.equal(lit.side, TRACK_SIDE);
  assert.deepEqual(lit.light, lightOf(TRACK_SIDE));
  assert.equal(expression.surplus, 0);
});

test("the target's folds shade a calmer source, by 6 % of its light at most", () => {
  const lit = frame(track(0, CALM), SMILE, 0.3, true);
  assert.ok(liftAt(lit, FOLD) < -0.03 && liftAt(lit, FOLD) > -0.061, `lift ${liftAt(lit, FOLD)}`);
});

test('a face relaxes as the film does: within 0.15 seconds for the most part, and not at once', () => {
  const expression = track(0.2, SMILE);
  frame(expression, SMILE, 0.2, true);
  const lifts: number[] = [];
  for (let k = 0; k < 12; k++) lifts.push(liftAt(frame(expression, CALM, 0, false), FOLD));
  const last = lifts.at(-1)!;
  assert.ok(lifts[0]! < 0.4 * last, `${lifts[0]} at first, ${last} at last`);
  assert.ok(lifts[4]! > 0.6 * last, `${lifts[4]} after 0.2 s, ${last} at last`);
  for (const [k, lift] of lifts.entries()) assert.ok(k === 0 || lift > lifts[k - 1]!);
});

test('a trembling target makes the light tremble far less than its landmarks ask', () => {
  const [more, less] = [smiling(0.32), smiling(0.28)];
  const expression = track(0.2, SMILE);
  for (let k = 0; k < 20; k++) frame(expression, k % 2 === 0 ? more : less, 0, k === 0);
  const [a, b] = [more, less].map((landmarks) => liftAt(frame(expression, landmarks, 0, false), FOLD));
  const [calmA, calmB] = [more, less].map((landmarks) =>
    liftAt(frame(track(0.2, SMILE), landmarks, 0, true), FOLD),
  );
  assert.ok(Math.abs(a! - b!) <= 0.3 * Math.abs(calmA! - calmB!), `${a} and ${b}, of ${calmA} and ${calmB}`);
});
