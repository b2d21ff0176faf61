import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlaneColours } from '@guise/kernels/frame-planes.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { Atlas } from '../uv/atlas.ts';
import { relight } from '../match/compose.ts';
import type { Light } from '../skin/light.ts';
import { TRACK_SIDE } from './light.ts';
import { TrackTexture } from './texture.ts';

/** Paints smooth planes of any size that show the same picture. */
function wave(side: number, mean: number, depth: number, phase: number): Float32Array {
  return Float32Array.from({ length: side * side }, (_, i) => {
    const u = ((i % side) + 0.5) / side;
    const v = (Math.floor(i / side) + 0.5) / side;
    return mean + depth * Math.sin(3 * u + phase) * Math.cos(2 * v);
  });
}

const NO_CREASES = new Float32Array(COARSE_SIDE ** 2);

/** Colour differences of grey light. */
const BARE = new Float32Array(TRACK_SIDE ** 2);

const light = (side: number, mean: number): Light => ({
  luma: wave(side, mean, 25, 0),
  blue: wave(side, -14, 4, 1),
  red: wave(side, 18, 5, 2),
});

/** Colours of the atlas: Rec. 601, differences around 0. */
const COLOURS: PlaneColours = {
  offset: [0, 0, 0],
  weights: [
    [0.299, 0.587, 0.114],
    [-0.299, -0.587, 0.886].map((value) => 0.564 * value),
    [0.701, -0.587, -0.114].map((value) => 0.713 * value),
  ].flat(),
};

test("a video's texture is the still's: the same source under the same light has the same colours, below its veil", async () => {
  const layout = createAtlasLayouts(await loadCanonicalFace())(256);
  const side = 256;
  const atlas: Atlas = {
    side,
    luma: wave(side, 120, 30, 1).map((value, i) => value + noise(i)),
    blue: wave(side, -10, 8, 3),
    red: wave(side, 15, 9, 4),
    facing: new Float32Array(side * side).fill(1),
  };
  const texture = new TrackTexture(layout, light(COARSE_SIDE, 110), NO_CREASES, new Workspace());
  texture.take(atlas);
  texture.write({
    side: TRACK_SIDE,
    light: light(TRACK_SIDE, 150),
    facing: new Float32Array(TRACK_SIDE ** 2).fill(1),
    colour: 0.9,
    veil: 30,
    colours: COLOURS,
    opacity: 1,
    occluded: new Float32Array(side * side),
    ease: 1,
    isWhole: true,
  });
  const still = relight(atlas, light(COARSE_SIDE, 110), light(COARSE_SIDE, 150), 0.9, layout);
  let compared = 0;
  for (let i = 0; i < side * side; i++) {
    if (layout.opacity[i] === 0 || layout.oval[i] === 0 || layout.softEyes[i]! > 1e-6) continue;
    const [luma, opacity] = texture.texels.subarray(2 * i) as unknown as [number, number];
    const [blue, red] = texture.texels.subarray(2 * (side * side + i)) as unknown as [number, number];
    assert.ok(
      Math.abs(luma - 30 - still.luma[i]!) < 1.5,
      `luma of texel ${i}: ${luma}, not ${still.luma[i]} and the veil`,
    );
    assert.ok(Math.abs(red - still.red[i]!) < 1);
    assert.ok(Math.abs(blue - still.blue[i]!) < 1);
    assert.ok(Math.abs(opacity - layout.opacity[i]!) < 1e-6);
    compared += 1;
  }
  assert.ok(compared > 10_000);
});

test("inside the eyes nothing is drawn: the target's gaze and blinks stay", async () => {
  const side = 256;
  const layout = createAtlasLayouts(await loadCanonicalFace())(side);
  const texture = new TrackTexture(layout, light(COARSE_SIDE, 110), NO_CREASES, new Workspace());
  const plane = (): Float32Array => wave(side, 100, 10, 0);
  texture.take({ side, luma: plane(), blue: plane(), red: plane(), facing: plane().fill(1) });
  texture.write({
    side: TRACK_SIDE,
    light: light(TRACK_SIDE, 150),
    facing: new Float32Array(TRACK_SIDE ** 2).fill(1),
    colour: 1,
    veil: 0,
    colours: COLOURS,
    opacity: 1,
    occluded: new Float32Array(side * side),
    ease: 1,
    isWhole: true,
  });
  let inside = 0;
  for (const [i, eye] of layout.softEyes.entries()) {
    if (eye < 0.9) continue;
    assert.ok(texture.texels[2 * i + 1]! <= 1e-6);
    inside += 1;
  }
  assert.ok(inside > 50, `${inside}`);
  // Colours are mixed between texels, so no neighbour of a visible texel may lack a colour.
  for (let i = side; i < side * (side - 1); i++) {
    if (texture.texels[2 * i + 1]! <= 1e-6) continue;
    for (const beside of [i - side, i - 1, i + 1, i + side]) assert.ok(texture.texels[2 * beside]! > 20);
  }
});

test('lines of folds go by the share that is asked for, and come back', async () => {
  const side = 256;
  const layout = createAtlasLayouts(await loadCanonicalFace())(side);
  const creases = NO_CREASES.slice().fill(1, (COARSE_SIDE * COARSE_SIDE) / 2);
  const texture = new TrackTexture(layout, light(COARSE_SIDE, 110), creases, new Workspace());
  const flat = (value: number): Float32Array => new Float32Array(side * side).fill(value);
  const luma = flat(110).map((value, i) => value + noise(i));
  texture.take({ side, luma, blue: flat(0), red: flat(0), facing: flat(1) });
  const contrast = (share: number): readonly number[] => {
    texture.smooth(share);
    texture.write({
      side: TRACK_SIDE,
      light: { luma: new Float32Array(TRACK_SIDE ** 2).fill(110), blue: BARE, red: BARE },
      facing: new Float32Array(TRACK_SIDE ** 2).fill(1),
      colour: 1,
      veil: 0,
      colours: COLOURS,
      opacity: 1,
      occluded: flat(0),
      ease: 1,
      isWhole: true,
    });
    const rows = [0.4, 0.7].map((v) => Math.round(v * side) * side + side / 2);
    return rows.map((at) => [0, 1, 2, 3, 4, 5].reduce((sum, k) => sum + stepAt(texture.texels, at + k), 0));
  };
  const [above, below] = contrast(0);
  const [aboveThen, belowThen] = contrast(1);
  assert.ok(Math.abs(aboveThen! - above!) < 1e-3 && belowThen! < 0.5 * below!, `${belowThen} of ${below}`);
  const [, halfway] = contrast(0.5);
  assert.ok(halfway! > 1.2 * belowThen! && halfway! < below!, `${halfway}`);
  assert.ok(Math.abs(contrast(0)[1]! - below!) < 1e-3);
});

/** Returns the step from a texel's luma to the next one's. */
function stepAt(texels: Float32Array, i: number): number {
  return Math.abs(texels[2 * i + 2]! - texels[2 * i]!);
}

/** Returns noise that repeats on every run, -20..20. */
function noise(i: number): number {
  return ((i * 7919) % 41) - 20;
}
