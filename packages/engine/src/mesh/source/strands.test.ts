import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { beardlessCore, COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { fitSkin } from '../skin/skin-model.ts';
import { findStrands } from './strands.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';

const layout = createAtlasLayouts(await loadCanonicalFace())(COARSE_SIDE);
const skin = [150, -15, 22] as const;
const brow = [80, -6, 10] as const;
const hair = [25, 0, 2] as const;

const onStrand = (u: number, v: number): boolean => u > 0.24 && u < 0.3 && v > 0.3 && v < 0.6;

/** What counts as a strand at (u, v) of a painted face with brows. */
function strands(
  over: (u: number, v: number) => readonly [number, number, number] | null,
  unseen: Float32Array | null = null,
): (u: number, v: number) => number {
  const atlas = paintedAtlas(COARSE_SIDE, (u, v, i) => over(u, v) ?? (layout.brows[i]! > 0 ? brow : skin));
  const found = findStrands(atlas, layout, fitSkin(atlas, beardlessCore(layout)), 0, unseen);
  return (u, v) => found[Math.floor(v * COARSE_SIDE) * COARSE_SIDE + Math.floor(u * COARSE_SIDE)]!;
}

test('hair from the temple takes the brow it lies over with it, not the other brow', () => {
  const at = strands((u, v) => (u < 0.36 && v < 0.5 ? hair : null));
  assert.equal(at(0.32, 0.28), 1);
  assert.equal(at(0.68, 0.28), 0);
});

test('a fair strand beside the cheek is followed from the hair, a shade that both cheeks have is not', () => {
  const fair = [85, -12, 13] as const;
  const one = strands((u, v) => (u < 0.24 && v < 0.6 ? hair : onStrand(u, v) ? fair : null));
  assert.equal(one(0.27, 0.5), 1);
  const both = strands((u, v) =>
    (u < 0.24 || u > 0.76) && v < 0.6 ? hair : onStrand(u, v) || onStrand(1 - u, v) ? fair : null,
  );
  assert.equal(both(0.27, 0.5), 0);
});

test('hair is found beside what a turned face does not show, though the completed skin parts it from the edge', () => {
  const unseen = new Float32Array(COARSE_SIDE * COARSE_SIDE);
  for (let i = 0; i < unseen.length; i++) unseen[i] = (i % COARSE_SIDE) / COARSE_SIDE < 0.24 ? 1 : 0;
  assert.equal(strands((u, v) => (onStrand(u, v) ? hair : null))(0.27, 0.5), 0);
  assert.equal(strands((u, v) => (onStrand(u, v) ? hair : null), unseen)(0.27, 0.5), 1);
});

test('a thin strand beside the cheek, skin shining through, is followed as far as the jaw', () => {
  const thin = [118, -12, 18] as const;
  const at = strands((u, v) =>
    u < 0.24 && v < 0.6 ? hair : u > 0.22 && u < 0.3 && v >= 0.6 && v < 0.8 ? thin : null,
  );
  assert.equal(at(0.27, 0.75), 1);
  assert.equal(at(0.73, 0.75), 0);
});

test('a bare face with brows has no strands', () => {
  const at = strands(() => null);
  for (let v = 0.02; v < 1; v += 0.02) for (let u = 0.02; u < 1; u += 0.02) assert.equal(at(u, v), 0);
});
