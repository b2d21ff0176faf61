import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { fitSkin } from '../skin/skin-model.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { beardlessCore, COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { shrinkAtlas } from '../uv/atlas.ts';
import { keepGlasses } from './kept-glasses.ts';

type Place = (u: number, v: number) => boolean;
type Colour = readonly [luma: number, blue: number, red: number];

const SIDE = 512;
const layouts = createAtlasLayouts(await loadCanonicalFace());
const layout = layouts(SIDE);

const SKIN: Colour = [150, -15, 22];
const BROWN: Colour = [105, -12, 18];
const BRIGHT: Colour = [185, -15, 20];
const BLACK: Colour = [20, 0, 0];
const LIGHT: Colour = [230, 10, -5];

/** Distance from the round rim around the nearer eye, sides. */
const fromRim = (u: number, v: number): number => Math.hypot(Math.abs(u - 0.5) - 0.16, v - 0.415) - 0.115;
const onRims: Place = (u, v) => Math.abs(fromRim(u, v)) < 0.006;
/** Both edges of a clear frame. */
const onEdges: Place = (u, v) => Math.abs(Math.abs(fromRim(u, v)) - 0.01) < 0.003;
const isGap: Place = (u, v) => u < 0.34 && v > 0.47;
const onBridge: Place = (u, v) => Math.abs(v - 0.38) < 0.006 && Math.abs(u - 0.5) < 0.06;
const onArms: Place = (u, v) => Math.abs(v - 0.39) < 0.006 && Math.abs(u - 0.5) > 0.27;
const onPads: Place = (u, v) => Math.abs(Math.abs(u - 0.5) - 0.05) < 0.006 && v > 0.37 && v < 0.42;

const onFrames: Place = (u, v) => onRims(u, v) || onBridge(u, v);

/** Places along the rim of one lens. */
const ringPlaces = Array.from({ length: 48 }, (_, k) => {
  const angle = (2 * Math.PI * k) / 48;
  return [0.34 + 0.115 * Math.cos(angle), 0.415 + 0.115 * Math.sin(angle)] as const;
});

/** What stays of a face painted with what is worn on bare skin; to be asked at (u, v). */
function keep(paint: (u: number, v: number, texel: number) => Colour | null) {
  const atlas = paintedAtlas(SIDE, (u, v, texel) => paint(u, v, texel) ?? SKIN);
  const coarse = layouts(COARSE_SIDE);
  const model = fitSkin(shrinkAtlas(atlas, COARSE_SIDE), beardlessCore(coarse));
  const { all, rims } = keepGlasses(atlas, layouts, model);
  return {
    all,
    rims,
    at: (u: number, v: number) => all[Math.floor(v * SIDE) * SIDE + Math.floor(u * SIDE)]!,
  };
}

/** All of a rim stays, except where `isLess` says otherwise. */
function assertWhole(at: (u: number, v: number) => number, isLess: Place = () => false): void {
  for (const [u, v] of ringPlaces)
    for (const x of [u, 1 - u])
      if (!isLess(x, v)) assert.ok(at(x, v) > 0.9, `${x.toFixed(3)}, ${v.toFixed(3)}: ${at(x, v)}`);
}

/** Skin behind the lenses, of the cheeks and of the nose goes. */
function assertSkinGoes(at: (u: number, v: number) => number): void {
  for (const [u, v] of [
    [0.34, 0.49],
    [0.66, 0.49],
    [0.28, 0.45],
    [0.34, 0.58],
    [0.66, 0.58],
    [0.5, 0.48],
  ] as const)
    assert.equal(at(u, v), 0, `${u}, ${v}`);
}

test('thin frames darker than skin stay all around, with their bridge and their arms', () => {
  const { at } = keep((u, v) => (onFrames(u, v) || onArms(u, v) ? BROWN : null));
  assertWhole(at);
  assertSkinGoes(at);
  for (const u of [0.47, 0.5, 0.53, 0.2, 0.12, 0.88])
    assert.ok(at(u, u > 0.4 && u < 0.6 ? 0.38 : 0.39) > 0.9, `${u}`);
});

test('clear frames brighter than skin stay all around', () => {
  const { at } = keep((u, v) => (onFrames(u, v) ? BRIGHT : null));
  assertWhole(at);
  assertSkinGoes(at);
});

test('frames of the luma of skin stay by having none of its red', () => {
  const { at } = keep((u, v) => (onFrames(u, v) ? [150, -1, 1] : null));
  assertWhole(at);
  assertSkinGoes(at);
});

test('what lies between the two edges of a clear frame stays', () => {
  const { at } = keep((u, v) => (onEdges(u, v) || onBridge(u, v) ? BRIGHT : null));
  for (const [u, v] of ringPlaces) if (v > 0.45) assert.ok(at(u, v) > 0.9, `${u}, ${v}: ${at(u, v)}`);
  assertSkinGoes(at);
});

test('a gap that glare or noise leaves in a rim is closed', () => {
  const { at } = keep((u, v) => ((onRims(u, v) && !isGap(u, v)) || onBridge(u, v) ? BROWN : null));
  assertWhole(at, isGap);
  for (const [u, v] of ringPlaces) if (isGap(u, v)) assert.ok(at(u, v) > 0.6, `${u}, ${v}: ${at(u, v)}`);
});

test('of half rims no lower half is made up, of rimless glasses bridge, pads and arms stay', () => {
  const half = keep((u, v) => ((onRims(u, v) && v < 0.42) || onBridge(u, v) ? BROWN : null)).at;
  assertWhole(half, (_, v) => v > 0.41);
  assert.equal(half(0.34, 0.53), 0);
  const rimless = keep((u, v) => (onBridge(u, v) || onPads(u, v) ? BRIGHT : null)).at;
  for (const [u, v] of [
    [0.5, 0.38],
    [0.45, 0.4],
    [0.55, 0.4],
  ] as const)
    assert.ok(rimless(u, v) > 0.9, `${u}, ${v}: ${rimless(u, v)}`);
  assert.equal(rimless(0.34, 0.53), 0);
});

test('rims that run below the brows take none of their hair along', () => {
  const { all } = keep((u, v, i) => (onFrames(u, v) ? BLACK : layout.brows[i]! > 0 ? [80, -8, 12] : null));
  let hair = 0;
  let kept = 0;
  for (let i = 0; i < all.length; i++) {
    const v = Math.floor(i / SIDE) / SIDE;
    if (layout.brows[i] === 0 || fromRim((i % SIDE) / SIDE, v) < 0.02) continue;
    hair += 1;
    kept += all[i]!;
  }
  assert.ok(kept < 0.05 * hair, `${kept} of ${hair}`);
});

test('glare that crosses the lids stays, a glint before an iris goes', () => {
  const glare = keep((u, v) =>
    onFrames(u, v) ? BROWN : Math.hypot(u - 0.35, v - 0.43) < 0.035 ? LIGHT : null,
  ).at;
  assert.ok(glare(0.35, 0.45) > 0.9);
  const glint = keep((u, v) =>
    onFrames(u, v) ? BROWN : Math.hypot(u - 0.34, v - 0.4) < 0.008 ? LIGHT : null,
  ).at;
  assert.equal(glint(0.34, 0.4), 0);
});

test('lenses of sun glasses stay whole, eyes and all', () => {
  const { at } = keep((u, v) => (fromRim(u, v) < 0.006 || onBridge(u, v) ? BLACK : null));
  for (const u of [0.34, 0.66])
    for (const v of [0.36, 0.4, 0.45, 0.5]) assert.ok(at(u, v) > 0.9, `${u}, ${v}`);
  assert.equal(at(0.34, 0.58), 0);
});

test('arms are no part of the rims', () => {
  const { rims } = keep((u, v) => (onFrames(u, v) || onArms(u, v) ? BROWN : null));
  const side = Math.sqrt(rims.length);
  const at = (u: number, v: number): number => rims[Math.floor(v * side) * side + Math.floor(u * side)]!;
  assert.equal(at(0.34, 0.53), 1);
  assert.equal(at(0.12, 0.39), 0);
});

test('where nothing crosses the nose, a piece of a line under an eye is a fold', () => {
  const { all } = keep((u, v) => (onRims(u, v) && v > 0.47 ? BROWN : null));
  assert.ok(all.every((value) => value === 0));
});
