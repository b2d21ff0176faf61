import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { fitSkin } from '../skin/skin-model.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import type { Atlas } from '../uv/atlas.ts';
import { shrinkAtlas } from '../uv/atlas.ts';
import { beardlessCore, COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { glassesHull } from './glasses-hull.ts';
import { takeOffGlasses } from './take-off-glasses.ts';

const layouts = createAtlasLayouts(await loadCanonicalFace());
const SIDE = 512;
const layout = layouts(SIDE);
const midLayout = layouts(SIDE / 2);

type Colour = readonly [luma: number, blue: number, red: number];
type Place = (u: number, v: number) => boolean;

/** Skin that is lit from above. */
const skinAt = (_u: number, v: number): Colour => [165 - 40 * (v - 0.5), -15, 22];
/** Rims, a bridge, and arms that leave for the ears. */
const onFrame =
  (half: number): Place =>
  (u, v) => {
    const aside = Math.abs(u - 0.5);
    const rim = Math.abs(Math.hypot((aside - 0.155) / 0.115, (v - 0.395) / 0.1) - 1) * 0.1 < half;
    const bridge = aside < 0.045 && Math.abs(v - 0.36) < half;
    const arm = aside > 0.27 && Math.abs(v - 0.36) < half;
    return rim || bridge || arm;
  };

/** Lenses, inside the rims. */
const onLens: Place = (u, v) => Math.hypot((Math.abs(u - 0.5) - 0.155) / 0.115, (v - 0.395) / 0.1) < 1;
/** An arm as broad as the brow that it hides, from the middle of the brow to the temple. */
const isArm: Place = (u, v) => Math.abs(u - 0.5) > 0.15 && v > 0.265 && v < 0.345;
/** A spot on one lens, below the eye. */
const onGlare: Place = (u, v) => Math.hypot(u - 0.3, v - 0.455) < 0.02;

/**
 * A face whose brows and eyes are dark, behind glasses that `paint` draws over its skin, a little
 * out of focus.
 */
function faceWith(paint: (u: number, v: number) => Colour | null): Atlas {
  const atlas = paintedAtlas(SIDE, (u, v, i) => {
    if (layout.softEyes[i]! > 0.5) return [60, 0, 0];
    if (layout.brows[i]! > 0) return [60, -5, 8];
    return paint(u, v) ?? skinAt(u, v);
  });
  for (const plane of [atlas.luma, atlas.blue, atlas.red]) boxBlur(plane, SIDE, SIDE, 2, 2);
  return atlas;
}

/** Takes the glasses off a copy of the face. */
function bared(worn: Atlas): Atlas {
  const atlas = { ...worn, luma: worn.luma.slice(), blue: worn.blue.slice(), red: worn.red.slice() };
  const mid = shrinkAtlas(atlas, midLayout.side);
  const model = fitSkin(shrinkAtlas(mid, COARSE_SIDE), beardlessCore(layouts(COARSE_SIDE)));
  takeOffGlasses(atlas, layout, mid, midLayout, model, ordinaryPlanes);
  return atlas;
}

/** Returns the value that one in a thousand exceeds. */
function most(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(0.999 * values.length)]!;
}

/**
 * Measures the most that skin in the hull differs from bare skin, in luma's shares and in levels of
 * red.
 */
function remains(atlas: Atlas): { readonly luma: number; readonly red: number } {
  const hull = glassesHull(layout);
  const lumas: number[] = [];
  const reds: number[] = [];
  for (let i = 0; i < hull.length; i++) {
    const near = layout.features[i]! + layout.softEyes[i]! + layout.lids[i]! + layout.browArea[i]!;
    if (hull[i]! < 1 || near > 0) continue;
    const [luma, , red] = skinAt(((i % SIDE) + 0.5) / SIDE, (Math.floor(i / SIDE) + 0.5) / SIDE);
    lumas.push(Math.abs(atlas.luma[i]! / luma - 1));
    reds.push(Math.abs(atlas.red[i]! - red));
  }
  return { luma: most(lumas), red: most(reds) };
}

const FRAMES: readonly (readonly [name: string, half: number, colour: (skin: Colour) => Colour])[] = [
  ['black', 0.011, () => [15, 0, 0]],
  ['white', 0.008, () => [245, 0, 0]],
  ['wire of gold', 0.004, ([luma]) => [luma + 55, -25, 12]],
  ['grey, as light as the skin', 0.012, ([luma]) => [luma, 0, 0]],
  ['blue', 0.009, () => [60, 40, -15]],
  ['clear, a little lighter than the skin', 0.006, ([luma, blue, red]) => [1.12 * luma, blue, red]],
];

for (const [name, half, colour] of FRAMES) {
  test(`no line is left of frames that are ${name}`, () => {
    const frame = onFrame(half);
    const worn = faceWith((u, v) => (frame(u, v) ? colour(skinAt(u, v)) : null));
    assert.ok(Math.max(remains(worn).luma, remains(worn).red / 50) > 0.06, 'the frames are drawn');
    const left = remains(bared(worn));
    assert.ok(left.luma < 0.08, `luma ${left.luma}`);
    assert.ok(left.red < 3, `red ${left.red}`);
  });
}

test('glare over a cheek and the tint of a lens are gone', () => {
  const frame = onFrame(0.008);
  const worn = faceWith((u, v) => {
    const [luma] = skinAt(u, v);
    if (frame(u, v)) return [15, 0, 0];
    if (onGlare(u, v)) return [240, 25, -10];
    return onLens(u, v) ? [luma, 8, 8] : null;
  });
  const left = remains(bared(worn));
  assert.ok(left.luma < 0.08, `luma ${left.luma}`);
  assert.ok(left.red < 4, `red ${left.red}`);
});

test('lids in the shade of thick frames are lit as the skin around them, and eyes stay dark', () => {
  const frame = onFrame(0.012);
  const worn = faceWith((u, v) => {
    if (frame(u, v)) return [15, 0, 0];
    return layout.lids[Math.floor(v * SIDE) * SIDE + Math.floor(u * SIDE)]! > 0 ? [70, -7, 10] : null;
  });
  const { luma } = bared(worn);
  const at = (u: number, v: number): number => luma[Math.floor(v * SIDE) * SIDE + Math.floor(u * SIDE)]!;
  assert.ok(at(0.345, 0.345) > 100, `lid ${at(0.345, 0.345)}`);
  assert.ok(at(0.345, 0.38) < 90, `eye ${at(0.345, 0.38)}`);
});

test('brows, eyes, and cheeks below the glasses stay as they are', () => {
  const frame = onFrame(0.01);
  const worn = faceWith((u, v) => (frame(u, v) ? [15, 0, 0] : null));
  const { luma } = bared(worn);
  let worst = 0;
  for (let i = 0; i < luma.length; i++) {
    const aside = Math.abs(((i % SIDE) + 0.5) / SIDE - 0.5);
    const isCheek = i > 0.6 * SIDE * SIDE;
    const isBrow = layout.brows[i]! > 0 && aside > 0.1 && aside < 0.13 && i < 0.28 * SIDE * SIDE;
    if (isCheek || isBrow) worst = Math.max(worst, Math.abs(luma[i]! - worn.luma[i]!));
  }
  assert.ok(worst < 6, `${worst}`);
});

test("a brow's tail that a thick arm hides is hair again, darker than the skin above it", () => {
  const worn = faceWith((u, v) => (isArm(u, v) ? [15, 0, 0] : null));
  for (let i = 0; i < worn.luma.length; i++)
    if (isArm(((i % SIDE) + 0.5) / SIDE, (Math.floor(i / SIDE) + 0.5) / SIDE)) worn.luma[i] = 15;
  const { luma } = bared(worn);
  let [tail, count] = [0, 0];
  for (let i = 0; i < luma.length; i++) {
    const aside = Math.abs(((i % SIDE) + 0.5) / SIDE - 0.5);
    if (layout.brows[i] === 0 || aside < 0.2 || aside > 0.21) continue;
    tail += luma[i]!;
    count += 1;
  }
  assert.ok(tail / count > 60 && tail / count < 160, `${tail / count}`);
});
