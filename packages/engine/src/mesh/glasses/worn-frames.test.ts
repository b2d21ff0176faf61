import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { beardlessCore, COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { shrinkAtlas } from '../uv/atlas.ts';
import { fitSkin } from '../skin/skin-model.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { completeFrames } from './worn-frames.ts';

const layouts = createAtlasLayouts(await loadCanonicalFace());
const SIDE = 512;
const layout = layouts(SIDE);
type Place = (u: number, v: number) => boolean;

/**
 * Frames as completed from what was `found`, on a face that is dark where it wears frames; to be
 * asked at (u, v).
 */
function complete(worn: Place, found: Place): (u: number, v: number) => number {
  const atlas = paintedAtlas(SIDE, (u, v) => (worn(u, v) ? [50, -5, 10] : [150, -15, 22]));
  const model = fitSkin(shrinkAtlas(atlas, COARSE_SIDE), beardlessCore(layouts(COARSE_SIDE)));
  const frames = layout.oval.map((_, i) => (found((i % SIDE) / SIDE, Math.floor(i / SIDE) / SIDE) ? 1 : 0));
  completeFrames(frames, atlas, layout, model);
  return (u, v) => frames[Math.floor(v * SIDE) * SIDE + Math.floor(u * SIDE)]!;
}

const onRims: Place = (u, v) =>
  Math.abs(v - 0.47) < 0.01 && Math.abs(u - 0.5) > 0.05 && Math.abs(u - 0.5) < 0.25;
const onPads: Place = (u, v) => Math.abs(Math.abs(u - 0.5) - 0.05) < 0.012 && v > 0.36 && v < 0.48;
const onBridge: Place = (u, v) => Math.abs(v - 0.36) < 0.015 && Math.abs(u - 0.5) < 0.062;
const onSpeck: Place = (u, v) => Math.hypot(u - 0.3, v - 0.44) < 0.01;
const onAll: Place = (u, v) => onRims(u, v) || onPads(u, v) || onBridge(u, v);

/** All of it, a speck, and the skin between the two sides of the nose. */
const inFound: Place = (u, v) =>
  onAll(u, v) || onSpeck(u, v) || (Math.abs(u - 0.5) < 0.05 && Math.abs(v - 0.42) < 0.04);

test('a rim that was found leads over the nose, along the bridge, to its other side', () => {
  const at = complete(onAll, (u, v) => onRims(u, v) && u < 0.5);
  for (const [u, v] of [
    [0.4, 0.47],
    [0.45, 0.42],
    [0.5, 0.36],
    [0.55, 0.42],
    [0.6, 0.47],
  ] as const)
    assert.ok(at(u, v) > 0.9, `${u}, ${v}: ${at(u, v)}`);
  assert.equal(at(0.4, 0.44), 0);
});

test('the skin between two rims goes, and so does a speck', () => {
  const at = complete((u, v) => onAll(u, v) || onSpeck(u, v), inFound);
  assert.ok(at(0.5, 0.36) > 0.9);
  assert.equal(at(0.5, 0.43), 0);
  assert.ok(at(0.3, 0.44) < 0.1, `${at(0.3, 0.44)}`);
});

test('where no frame was found none is made up', () => {
  const at = complete(onAll, () => false);
  for (let v = 0.25; v < 0.55; v += 0.01) for (let u = 0.1; u < 0.9; u += 0.01) assert.equal(at(u, v), 0);
});
