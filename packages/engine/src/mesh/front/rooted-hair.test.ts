import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { paintedFront } from '../testing/painted-front.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { FRONT_SIDE } from './front.ts';
import { removeUnrootedHair } from './rooted-hair.ts';

const layout = createAtlasLayouts(await loadCanonicalFace())(FRONT_SIDE);
const at = (u: number, v: number): number =>
  Math.floor(v * FRONT_SIDE) * FRONT_SIDE + Math.floor(u * FRONT_SIDE);

const isLock = (u: number, v: number): boolean =>
  Math.abs(u - 0.4) < 0.02 && v < 0.3 && Math.abs(v - 0.2) > 0.004;
const isBrow = (u: number, v: number): boolean => Math.abs(u - 0.65) < 0.08 && Math.abs(v - 0.33) < 0.02;

test('a lock that hangs from the head stays, also across a small gap; a dark brow is no hair', () => {
  const front = paintedFront((u, v) =>
    isLock(u, v) || isBrow(u, v) ? { hair: 0.9 } : { frame: v > 0.9 ? 1 : 0 },
  );
  removeUnrootedHair(front, layout);
  const { shares, needed } = front;
  assert.ok(shares.hair[at(0.4, 0.28)]! > 0.8 && needed[at(0.4, 0.28)]! > 0.8);
  assert.equal(shares.hair[at(0.65, 0.33)], 0);
  assert.ok(needed[at(0.65, 0.33)]! < 0.1);
  assert.equal(needed[at(0.5, 0.92)], 1);
});
