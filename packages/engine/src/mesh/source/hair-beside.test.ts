import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { beardlessCore, COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { hairBeside } from './hair-beside.ts';
import { fitSkin } from '../skin/skin-model.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';

const layout = createAtlasLayouts(await loadCanonicalFace())(COARSE_SIDE);

const onNose = (u: number, v: number): boolean => u > 0.43 && u < 0.48 && v < 0.5;
const shade = (u: number, v: number): boolean => onNose(u, v) || onNose(1 - u, v);

/** What is found at (u, v) beside an eye of a face that is `dark` in places. */
function found(eye: 0 | 1, dark: (u: number, v: number) => boolean): (u: number, v: number) => number {
  const atlas = paintedAtlas(COARSE_SIDE, (u, v) => (dark(u, v) ? [30, 0, 2] : [150, -15, 22]));
  const beside = hairBeside(eye, atlas, layout, fitSkin(atlas, beardlessCore(layout)));
  return (u, v) => beside[Math.floor(v * COARSE_SIDE) * COARSE_SIDE + Math.floor(u * COARSE_SIDE)]!;
}

test("hair is followed over the nose's side, on the covered eye's half alone", () => {
  assert.ok(found(0, onNose)(0.455, 0.42) > 0.95);
  assert.equal(found(1, onNose)(0.455, 0.42), 0);
  assert.ok(found(0, onNose)(0.3, 0.5) < 0.05);
});

test('what is dark on both sides of the nose is its shade', () => {
  assert.ok(found(0, shade)(0.455, 0.42) < 0.05);
});

test('a half that lies in the shade down to the chin is no hair', () => {
  const half = found(0, (u) => u < 0.48);
  assert.equal(half(0.455, 0.42), 0);
  assert.equal(half(0.3, 0.5), 0);
});
