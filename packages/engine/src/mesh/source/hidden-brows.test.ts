import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { Cleaning } from './source-clean.ts';
import { cleanSource } from './source-clean.ts';

const SIDE = 256;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);
const SKIN = [150, -15, 22] as const;
const HAIR = [40, -1, 3] as const;

/** A face with brows behind a fringe that hangs so far down, on this much of its width. */
function face(fringe: number, until = 1): { readonly luma: Float32Array } & Cleaning {
  const atlas = paintedAtlas(SIDE, (u, v, i) =>
    (v < fringe && u < until) || layout.brows[i]! > 0 ? HAIR : SKIN,
  );
  return { ...cleanSource(atlas, layout, null, false), luma: atlas.luma };
}

/** Darkest and brightest luma of the brows. */
function browLumas(luma: Float32Array): readonly [number, number] {
  const lumas = luma.filter((_, i) => layout.brows[i]! > 0);
  return [Math.min(...lumas), Math.max(...lumas)];
}

test('a fringe over both brows takes them along: none of it is drawn as a brow', () => {
  const { hidesBrows, luma } = face(0.3);
  assert.equal(hidesBrows, true);
  assert.ok(browLumas(luma)[0] > 120, `${browLumas(luma)}`);
});

test('bare brows stay, under a fringe that ends above them, too', () => {
  for (const fringe of [0, 0.17]) {
    const { hidesBrows, luma } = face(fringe);
    assert.equal(hidesBrows, false, `fringe down to ${fringe}`);
    assert.ok(browLumas(luma)[0] < 60, `${browLumas(luma)}`);
  }
});

test('one brow that is seen is enough', () => {
  assert.equal(face(0.3, 0.48).hidesBrows, false);
});

/** Whether brows under black bars, on a face with glasses or without, are hidden. */
function areBarsHiding(hasGlasses: boolean): boolean {
  const bars = paintedAtlas(SIDE, (u, v) => {
    const aside = Math.abs(u - 0.5);
    return v > 0.22 && v < 0.3 && aside > 0.03 && aside < 0.26 ? [12, 0, 0] : SKIN;
  });
  return cleanSource(bars, layout, null, hasGlasses).hidesBrows;
}

test('dark rims over both brows take them along, bars that are no glasses stay as brows', () => {
  assert.equal(areBarsHiding(true), true);
  assert.equal(areBarsHiding(false), false);
});
