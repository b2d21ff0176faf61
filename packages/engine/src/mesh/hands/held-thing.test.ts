import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import type { Hand } from '../../face/geometry/hand.ts';
import { fitSkin } from '../skin/skin-model.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { openHand } from '../testing/painted-hand.ts';
import { beardlessCore, COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { heldThing } from './held-thing.ts';

const canonical = await loadCanonicalFace();
const layout = createAtlasLayouts(canonical)(COARSE_SIDE);

/** A face pressed flat, so that atlas and picture are one. */
const landmarks = new Float32Array(468 * 3);
for (let v = 0; v < 468; v++)
  landmarks.set([canonical.uv[2 * v]! * COARSE_SIDE, canonical.uv[2 * v + 1]! * COARSE_SIDE], 3 * v);

const SKIN = [150, -15, 22] as const;
const CAN = [170, 6, -2] as const;
const PALM = 30;
const GRIP: Hand = openHand(72, 120, PALM);
/** Index finger beside the thumb. */
const FIST: Hand = { ...GRIP, landmarks: GRIP.landmarks.slice() };
for (let joint = 5; joint <= 8; joint++)
  FIST.landmarks.set(GRIP.landmarks.subarray(2 * (joint - 4), 2 * (joint - 4) + 2), 2 * joint);

/** Finds what a hand holds; `thing` lies around the right half of the mouth, below the eyes. */
function held(hand: Hand, thing: readonly [number, number, number], below = 0.42): Float32Array | null {
  const small = paintedAtlas(COARSE_SIDE, (u, v) =>
    u > 0.34 && u < 0.54 && v > below && v < below + 0.4 ? thing : SKIN,
  );
  const model = fitSkin(small, beardlessCore(layout));
  return heldThing([hand], landmarks, small, model, layout, ordinaryPlanes);
}

const texel = (u: number, v: number): number =>
  Math.floor(v * COARSE_SIDE) * COARSE_SIDE + Math.floor(u * COARSE_SIDE);

test('what a hand holds is found between its fingers and beyond them, and nothing of the skin', () => {
  const thing = held(GRIP, CAN);
  assert.ok(thing);
  assert.equal(thing[texel(0.445, 0.656)], 1, 'between thumb and index finger');
  assert.equal(thing[texel(0.42, 0.5)], 1, 'beyond the tips');
  assert.equal(thing[texel(0.3, 0.6)], 0, 'skin beside it');
  assert.equal(thing[texel(0.5, 0.3)], 0, 'forehead');
});

test('skin between the fingers is nothing held, nor is anything beside fingers that are together', () => {
  assert.equal(held(GRIP, SKIN), null);
  assert.equal(held(FIST, CAN), null);
  const raised: Hand = { ...GRIP, landmarks: GRIP.landmarks.map((value, k) => value - (k % 2) * 40) };
  const worn = held(raised, CAN, 0.1);
  assert.ok(!worn?.[texel(0.44, 0.4)], 'glasses');
});
