import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import type { TargetFace } from '../target/target-face.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { keepSkin, unseenShare } from './keep-unseen.ts';
import { matchTone } from './tone.ts';

const layouts = createAtlasLayouts(await loadCanonicalFace());
const coarse = layouts(COARSE_SIDE);
const SIDE = 256;

const texel = (u: number, v: number, side = COARSE_SIDE): number =>
  Math.floor(v * side) * side + Math.floor(u * side);
const TEMPLE = texel(0.12, 0.4);
const JAW = texel(0.15, 0.72);
const CHEEK = texel(0.35, 0.55);
const BROW = texel(0.35, 0.285);
const EYE = texel(0.35, 0.38);
const FOREHEAD = texel(0.5, 0.16);

function plane(value: number): Float32Array {
  return new Float32Array(COARSE_SIDE * COARSE_SIDE).fill(value);
}

/** A target without a beard, turned to the camera by this. */
function turnedBy(facing: Float32Array): Parameters<typeof unseenShare>[1] {
  return { small: { facing }, shaved: null };
}

/** A source whose eyes are its own. */
function sourceWith(shown: Float32Array): Parameters<typeof unseenShare>[0] {
  return { shown, beard: null, hasDoubtfulEyes: false };
}

/** Makes a target of even skin that faces the camera. */
function target(luma: number, blue: number, red: number): TargetFace {
  const small = paintedAtlas(COARSE_SIDE, () => [luma, blue, red]);
  const occluded = new Float32Array(SIDE * SIDE);
  return { small, rim: plane(1), front: plane(0), occluded } as unknown as TargetFace;
}

/** Returns what stays of a target whose source shows only the middle of the face. */
function keptBeside(): Float32Array {
  const shown = plane(1).map((_, i) => (Math.abs((i % COARSE_SIDE) - 63.5) < 32 ? 1 : 0));
  return unseenShare(sourceWith(shown), turnedBy(plane(1)), coarse, ordinaryPlanes);
}

test('a source that shows all of the face keeps nothing of the target', () => {
  assert.ok(
    unseenShare(sourceWith(plane(1)), turnedBy(plane(1)), coarse, ordinaryPlanes).every(
      (share) => share === 0,
    ),
  );
});

test('skin that the source does not show stays, but no brow, eye or cheek beside the nose', () => {
  const kept = unseenShare(sourceWith(plane(0)), turnedBy(plane(1)), coarse, ordinaryPlanes);
  assert.ok(kept[TEMPLE]! > 0.95, `temple ${kept[TEMPLE]}`);
  assert.ok(kept[FOREHEAD]! > 0.95, `forehead ${kept[FOREHEAD]}`);
  assert.ok(kept[CHEEK]! < 0.05, `cheek ${kept[CHEEK]}`);
  assert.ok(kept[BROW]! < 0.05, `brow ${kept[BROW]}`);
});

test('eyes stay as a whole where those of the source are doubtful, and no brow', () => {
  const kept = unseenShare(
    { ...sourceWith(plane(1)), hasDoubtfulEyes: true },
    turnedBy(plane(1)),
    coarse,
    ordinaryPlanes,
  );
  assert.ok(kept[EYE]! > 0.9, `eye ${kept[EYE]}`);
  assert.ok(kept[BROW]! < 0.05 && kept[CHEEK] === 0, `brow ${kept[BROW]}`);
});

test('no skin stays in a beard', () => {
  const hides = plane(0);
  hides[JAW] = 1;
  const source = sourceWith(plane(0));
  const bare = unseenShare(source, turnedBy(plane(1)), coarse, ordinaryPlanes);
  const kept = unseenShare({ ...source, beard: { hides } }, turnedBy(plane(1)), coarse, ordinaryPlanes);
  assert.ok(bare[JAW]! > 0.9 && bare[TEMPLE]! > 0.9, `${bare[JAW]} and ${bare[TEMPLE]}`);
  assert.equal(kept[JAW], 0);
  assert.equal(kept[TEMPLE], bare[TEMPLE]);
});

test('nothing stays of a beard that goes', () => {
  const cover = plane(0);
  cover[JAW] = 1;
  const target = { ...turnedBy(plane(1)), shaved: { cover, length: 0.05 } };
  const kept = unseenShare(sourceWith(plane(0)), target, coarse, ordinaryPlanes);
  assert.ok(kept[JAW] === 0 && kept[TEMPLE]! > 0.9, `${kept[JAW]} and ${kept[TEMPLE]}`);
});

test('the neck shows between the last hairs of a beard', () => {
  const bearded = { ...sourceWith(plane(1)), beard: { hides: plane(1) } };
  const kept = unseenShare(bearded, turnedBy(plane(1)), coarse, ordinaryPlanes);
  const [inside, edge] = [kept[texel(0.5, 0.86)]!, kept[texel(0.5, 0.935)]!];
  assert.ok(inside < 0.05 && edge > 0.3, `${inside} and ${edge}`);
  assert.equal(kept[texel(0.03, 0.5)], 0, 'beside the ear');
});

test('a sliver of the source does where the target shows no more, and not where it is seen in full', () => {
  const asThin = unseenShare(sourceWith(plane(0.2)), turnedBy(plane(0.3)), coarse, ordinaryPlanes);
  const inFull = unseenShare(sourceWith(plane(0.2)), turnedBy(plane(0.9)), coarse, ordinaryPlanes);
  assert.equal(asThin[TEMPLE], 0);
  assert.ok(inFull[TEMPLE]! > 0.9, `${inFull[TEMPLE]}`);
});

test('what stays lies in front of the swapped face, and its edge has no step', () => {
  const { occluded, front } = keepSkin(target(150, -10, 20), keptBeside(), layouts(SIDE), ordinaryPlanes);
  const row = Math.floor(0.45 * SIDE) * SIDE;
  assert.ok(occluded[texel(0.12, 0.4, SIDE)]! > 0.95);
  assert.equal(occluded[row + SIDE / 2], 0);
  for (let x = 1; x < SIDE / 2; x++)
    assert.ok(Math.abs(occluded[row + x]! - occluded[row + x - 1]!) < 0.15, `a step at ${x}`);
  assert.ok(front[TEMPLE]! > 0.95);
});

test('the swapped face takes the tone of the skin that stays beside it', () => {
  const lit = paintedAtlas(SIDE, () => [120, -10, 20]);
  const face = keepSkin(target(150, -10, 20), keptBeside(), layouts(SIDE), ordinaryPlanes);
  matchTone(lit, face, face.small, 0, 0, layouts(SIDE));
  const [edge, middle] = [texel(0.255, 0.55, SIDE), texel(0.5, 0.55, SIDE)];
  assert.ok(lit.luma[edge]! > 140, `edge ${lit.luma[edge]}`);
  assert.ok(lit.luma[middle]! < 122, `middle ${lit.luma[middle]}`);
});

/** Returns the red of a lit face next to grey skin of this luma that stays. */
function redBeside(luma: number): number {
  const lit = paintedAtlas(SIDE, () => [luma - 20, -12, 24]);
  const face = keepSkin(target(luma, 0, 0), keptBeside(), layouts(SIDE), ordinaryPlanes);
  matchTone(lit, face, face.small, 0, 0, layouts(SIDE));
  return lit.red[texel(0.255, 0.55, SIDE)]!;
}

test('burnt-out skin has no colour to meet', () => {
  assert.ok(redBeside(180) < 8, `grey skin: ${redBeside(180)}`);
  assert.ok(redBeside(252) > 20, `burnt-out skin: ${redBeside(252)}`);
});
