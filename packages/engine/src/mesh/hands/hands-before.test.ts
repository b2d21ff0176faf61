import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { openHand } from '../testing/painted-hand.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { shrinkAtlas } from '../uv/atlas.ts';
import { handsBefore } from './hands-before.ts';

const canonical = await loadCanonicalFace();
const SIDE = 256;
const layout = createAtlasLayouts(canonical)(SIDE);

/** A face pressed flat, so that atlas and picture are the same. */
const landmarks = new Float32Array(468 * 3);
for (let v = 0; v < 468; v++)
  landmarks.set([canonical.uv[2 * v]! * SIDE, canonical.uv[2 * v + 1]! * SIDE], 3 * v);

const PALM = 36;
/** A hand below the mouth. */
const hand = openHand(SIDE / 2, SIDE, PALM);
/** Middle of the little finger, a third of the way up. */
const finger = [hand.landmarks[2 * 18]!, hand.landmarks[2 * 18 + 1]!] as const;
const half = 0.105 * PALM;

/** Finds a hand over a face; its edge at the little finger is this far outside the skeleton's. */
function covered(handLuma: number, outwards: number) {
  const edge = finger[0] + half + outwards;
  const atlas = paintedAtlas(SIDE, (u, v) =>
    v * SIDE > finger[1] - 8 && u * SIDE > finger[0] - 50 && u * SIDE < edge
      ? [handLuma, -15, 22]
      : [150, -15, 22],
  );
  const small = shrinkAtlas(atlas, COARSE_SIDE);
  const before = handsBefore([hand], landmarks, atlas, small, layout, ordinaryPlanes);
  assert.ok(before);
  return (x: number, y: number): number => before.matte[Math.floor(y) * SIDE + Math.floor(x)]!;
}

test('fingers before a face are kept whatever their colour, the face beside them is not', () => {
  for (const luma of [150, 110, 190]) {
    const at = covered(luma, 0);
    assert.ok(at(finger[0], finger[1]) > 0.95, `${luma}`);
    assert.ok(at(SIDE / 2, SIDE - 30) > 0.95, 'palm');
    assert.ok(at(finger[0] + half + 24, finger[1]) < 0.02);
    assert.ok(at(SIDE / 2, SIDE / 4) === 0, 'forehead');
  }
});

test("a finger's outline goes by its colour, where that differs from the face's", () => {
  assert.ok(covered(105, 4)(finger[0] + half + 2, finger[1] + 4) > 0.7, 'thicker than drawn');
  assert.ok(covered(150, 4)(finger[0] + half + 2, finger[1] + 4) < 0.3, 'of one colour');
});

test('a hand that does not reach the face covers nothing', () => {
  const atlas = paintedAtlas(SIDE, () => [150, -15, 22]);
  const small = shrinkAtlas(atlas, COARSE_SIDE);
  const far = openHand(3 * SIDE, SIDE, PALM);
  assert.equal(handsBefore([far], landmarks, atlas, small, layout, ordinaryPlanes), null);
  assert.equal(handsBefore([], landmarks, atlas, small, layout, ordinaryPlanes), null);
});

test('a mouth behind fingers stays as a whole, with the skin around it', () => {
  const skin = paintedAtlas(SIDE, () => [150, -15, 22]);
  const small = shrinkAtlas(skin, COARSE_SIDE);
  const [mouthX, mouthY] = [0.5 * SIDE, 0.7 * SIDE];
  const keptWith = (before: typeof hand): number =>
    handsBefore([before], landmarks, skin, small, layout, ordinaryPlanes)!.matte[
      Math.floor(mouthY) * SIDE + Math.floor(mouthX + 0.11 * SIDE)
    ]!;
  // These fingers end below the lips, or cross them left of the middle.
  assert.equal(keptWith(openHand(mouthX, SIDE, PALM)), 0);
  assert.ok(keptWith(openHand(mouthX - 24, mouthY + 50, PALM)) > 0.95);
});
