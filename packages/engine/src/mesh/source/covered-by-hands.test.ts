import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { openHand } from '../testing/painted-hand.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { coveredByHands } from './covered-by-hands.ts';

const canonical = await loadCanonicalFace();
const SIDE = 256;
const layout = createAtlasLayouts(canonical)(SIDE);
const landmarks = new Float32Array(468 * 3);
for (let v = 0; v < 468; v++)
  landmarks.set([canonical.uv[2 * v]! * SIDE, canonical.uv[2 * v + 1]! * SIDE], 3 * v);
const LOWER_LIP = 17;
const lip = Math.floor(landmarks[3 * LOWER_LIP + 1]!) * SIDE + Math.floor(landmarks[3 * LOWER_LIP]!);

test('skin under a hand is filled, lips that it hides on both sides are lost', () => {
  const covered = coveredByHands([openHand(SIDE / 2, SIDE - 20, 60)], landmarks, layout, ordinaryPlanes);
  assert.ok(covered);
  assert.ok(covered.lost[lip]! > 0.9 && covered.filled[lip]! < 0.1, `${covered.lost[lip]}`);
  const chin = Math.floor(0.88 * SIDE) * SIDE + SIDE / 2;
  assert.ok(covered.filled[chin]! > 0.9 && covered.lost[chin] === 0, `${covered.filled[chin]}`);
});

test('a brow under a hand is filled, as the other side shows one', () => {
  const covered = coveredByHands([openHand(0.3 * SIDE, 0.6 * SIDE, 55)], landmarks, layout, ordinaryPlanes);
  assert.ok(covered);
  let brow = 0;
  for (let i = 0; i < SIDE * SIDE; i++) {
    if (layout.brows[i]! > 0 && covered.filled[i]! > 0.9) brow += 1;
    assert.ok(covered.lost[i]! < 0.1);
  }
  assert.ok(brow > 20, `${brow}`);
});

test('without a hand at the face nothing is covered', () => {
  assert.equal(coveredByHands([], landmarks, layout, ordinaryPlanes), null);
  assert.equal(coveredByHands([openHand(900, 900, 60)], landmarks, layout, ordinaryPlanes), null);
});
