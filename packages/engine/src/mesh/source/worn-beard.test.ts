import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { paintedFront } from '../testing/painted-front.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { type Beard, bearded, beardOf, completeBeard } from './worn-beard.ts';

const SIDE = 256;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);
const SKIN = [152, -15, 22] as const;
const HAIR = [32, -2, 3] as const;
const at = (u: number, v: number): number => Math.floor(v * SIDE) * SIDE + Math.floor(u * SIDE);
const isChin = (u: number, v: number): boolean => v > 0.74 && Math.abs(u - 0.5) < 0.2;
const LIP = at(0.5, 0.79);
const JAW = at(0.5, 0.96);

/** Takes the beard of a face that has hairs where `isHair`. */
const beardWhere = (isHair: (u: number, v: number) => boolean): Beard =>
  beardOf(
    paintedAtlas(SIDE, (u, v) => (isHair(u, v) ? HAIR : SKIN)),
    paintedAtlas(SIDE, () => SKIN),
    paintedFront((u, v) => (isHair(u, v) ? { beard: 1 } : {})),
    layout,
    ordinaryPlanes,
  );

test('a beard makes the same face as before, fades at the jaw, and changes nothing elsewhere', () => {
  const face = bearded(
    paintedAtlas(SIDE, () => SKIN),
    beardWhere(isChin),
    ordinaryPlanes,
  );
  const colours = (i: number): number[] => [face.luma[i]!, face.blue[i]!, face.red[i]!].map(Math.round);
  const [luma, blue, red] = colours(LIP) as [number, number, number];
  assert.ok(luma > 20 && luma < 45, `luma ${luma}`);
  // Black hairs are greyer than skin of the same luma.
  assert.ok(Math.abs(blue) <= 2 && Math.abs(red) <= 3, `colours ${blue}, ${red}`);
  assert.deepEqual(colours(JAW), [...SKIN]);
  assert.deepEqual(colours(at(0.5, 0.3)), [...SKIN]);
});

test('on a dark face in red light a beard is darker and redder than on a light one', () => {
  const beard = beardWhere(isChin);
  const dark = bearded(
    paintedAtlas(SIDE, () => [70, -20, 50]),
    beard,
    ordinaryPlanes,
  );
  const light = bearded(
    paintedAtlas(SIDE, () => SKIN),
    beard,
    ordinaryPlanes,
  );
  assert.ok(dark.luma[LIP]! < light.luma[LIP]!);
  assert.ok(dark.red[LIP]! > light.red[LIP]!);
});

test('the half of a beard that was not seen is the mirror image of the other', () => {
  const beard = beardWhere((u, v) => u < 0.5 && isChin(u, v));
  const [left, right] = [at(0.4, 0.79), at(0.5996, 0.79)];
  assert.ok(beard.luma[left]! < 0.5);
  assert.equal(beard.luma[right], 1);
  const isRight = new Float32Array(COARSE_SIDE * COARSE_SIDE).map((_, i) =>
    i % COARSE_SIDE < COARSE_SIDE / 2 ? 0 : 1,
  );
  completeBeard(beard, isRight, ordinaryPlanes);
  assert.ok(Math.abs(beard.luma[right]! - beard.luma[left]!) < 0.02);
  assert.ok(Math.abs(beard.colour[right]! - beard.colour[left]!) < 0.05);
});
