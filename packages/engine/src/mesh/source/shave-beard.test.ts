import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import type { Atlas } from '../uv/atlas.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { lipMasks } from '../uv/lip-masks.ts';
import { shaveBeard } from './shave-beard.ts';

const SIDE = 256;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);
type Colour = readonly [number, number, number];
const skin: Colour = [150, -15, 22];
/** Strokes of a brown beard, two texels wide. */
const beard = (u: number): Colour => (Math.floor((u * SIDE) / 2) % 2 === 0 ? [70, -3, 5] : [40, -2, 3]);
const stubble: Colour = [100, -8, 12];

function shaven(paint: (u: number, v: number) => Colour): Atlas {
  const atlas = paintedAtlas(SIDE, paint);
  shaveBeard(atlas, layout);
  return atlas;
}

const texel = (u: number, v: number): number => Math.floor(v * SIDE) * SIDE + Math.floor(u * SIDE);

test("a beard is stubble of the skin's hue, with its moustache and up to the lips", () => {
  const atlas = shaven((u, v) => (v > 0.61 ? beard(u) : skin));
  const { luma, blue, red } = atlas;
  for (const [u, v] of [
    [0.5, 0.93],
    [0.35, 0.86],
    [0.2, 0.75],
    [0.8, 0.75],
    [0.44, 0.63],
    [0.5, 0.625],
  ] as const) {
    const around = [0, 1, 2, 3].map((k) => luma[texel(u, v) + k]!);
    const mean = around.reduce((sum, value) => sum + value, 0) / around.length;
    assert.ok(mean > 0.84 * 150 && mean < 0.95 * 150, `${mean} at ${u}, ${v}`);
    assert.ok(Math.max(...around) - Math.min(...around) < 12, 'strokes are damped');
    const hue = Math.atan2(red[texel(u, v)]!, blue[texel(u, v)]!);
    assert.ok(Math.abs(hue - Math.atan2(22, -15)) < 0.03, `${hue}`);
  }
});

/** Where the ends of a moustache look like stains beside the nose. */
const isStain = (u: number, v: number): boolean => v > 0.57 && v < 0.59 && Math.abs(u - 0.5) < 0.16;

test('ends of a moustache beside the nose are shaven with it, the nose is not', () => {
  const { luma } = shaven((u, v) => (v > 0.61 ? beard(u) : isStain(u, v) ? [105, -8, 30] : skin));
  for (const u of [0.36, 0.64]) assert.ok(luma[texel(u, 0.58)]! > 125, `${luma[texel(u, 0.58)]} at ${u}`);
  assert.ok(luma[texel(0.5, 0.572)]! < 110, `${luma[texel(0.5, 0.572)]} at the nose`);
});

test('a shaven chin has no edge between mouth and throat', () => {
  const { luma } = shaven((_u, v) => (v > 0.61 ? [60, -3, 4] : skin));
  const down = Array.from({ length: 40 }, (_, k) => luma[texel(0.5, 0.79) + k * SIDE]!);
  const steepest = Math.max(...down.slice(1).map((value, k) => Math.abs(value - down[k]!)));
  assert.ok(Math.min(...down) > 120 && steepest < 3, `${Math.min(...down)}, ${steepest}`);
});

test('lips are hidden where hair lies over them, and not where they are bare', () => {
  const lips = lipMasks(layout).whole;
  const face = (lip: Colour): boolean =>
    shaveBeard(
      paintedAtlas(SIDE, (u, v) => (lips[texel(u, v)]! > 0.5 ? lip : v > 0.61 ? beard(u) : skin)),
      layout,
    );
  assert.equal(face([135, -12, 40]), false);
  assert.equal(face([70, -14, 20]), true);
});

test('dense stubble on the chin is shaven closer', () => {
  const { luma } = shaven((_u, v) => (v > 0.84 ? stubble : skin));
  assert.ok(luma[texel(0.5, 0.93)]! > 125, `${luma[texel(0.5, 0.93)]}`);
});

test('a shaven face, a moustache and a face that is half in the shade keep every bit', () => {
  const paints: ((u: number, v: number) => Colour)[] = [
    () => skin,
    (u, v) => (v > 0.61 && v < 0.66 && Math.abs(u - 0.5) < 0.13 ? beard(u) : skin),
    (u) => (u > 0.5 ? [90, -9, 13] : skin),
  ];
  for (const paint of paints) {
    const painted = paintedAtlas(SIDE, paint);
    assert.deepEqual(shaven(paint).luma, painted.luma);
  }
});
