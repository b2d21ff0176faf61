import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { Atlas } from '../uv/atlas.ts';
import { lipMasks } from '../uv/lip-masks.ts';
import { meanAt, texelsWhere } from '../uv/texel.ts';
import { limitTints } from './limit-tints.ts';

const SIDE = 256;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);
const lips = lipMasks(layout);
const inside = [layout.browsSoft, lips.soft].map((share) =>
  texelsWhere(SIDE * SIDE, (i) => share[i]! > 0.95),
);

const isFeature = (i: number): boolean => layout.browsSoft[i]! > 0 || lips.soft[i]! > 0;

/** Paints a face of skin whose brows and lips have these colour differences. */
function faceWith(blue: number, red: number): Atlas {
  return paintedAtlas(SIDE, (_u, _v, i) => (isFeature(i) ? [60, blue, red] : [180, -15, 25]));
}

/** Asserts the mean colour differences that brows and lips of a face get. */
function assertLimited(face: Atlas, target: Atlas, blue: number, red: number): void {
  limitTints(face, target, layout);
  for (const texels of inside) {
    const found = [meanAt(face.blue, texels), meanAt(face.red, texels)];
    assert.ok(Math.hypot(found[0]! - blue, found[1]! - red) < 1, `${found}, not ${blue}, ${red}`);
  }
}

test('blue and green brows and lips lose this tint, and those of other colours keep theirs', () => {
  const target = faceWith(-5, 8);
  assertLimited(faceWith(20, 3), target, 0, 3);
  assertLimited(faceWith(-4, -12), target, -4, 0);
  assertLimited(faceWith(-8, 10), target, -8, 10);
});

test("in blue light they may be as blue as the target's, and skin keeps every bit", () => {
  const face = faceWith(20, 3);
  const before = face.blue.slice();
  assertLimited(face, faceWith(12, -2), 12, 3);
  for (const i of before.keys())
    if (layout.browArea[i] === 0 && lips.soft[i] === 0) assert.equal(face.blue[i], before[i]);
});
