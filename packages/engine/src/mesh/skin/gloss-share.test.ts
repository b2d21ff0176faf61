import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AtlasColours } from '../uv/atlas.ts';
import { glossShare } from './gloss-share.ts';

const COUNT = 4096;

function plane(value: number): Float32Array {
  return new Float32Array(COUNT).fill(value);
}

function skin(luma: number): AtlasColours {
  return { side: 64, luma: plane(luma), blue: plane(-0.15 * luma), red: plane(0.2 * luma) };
}

const weight = plane(1);

/** Paints and measures skin on which one spot in twenty is brighter, white or skin-coloured. */
function spotted(luma: number, levels: number, isWhite: boolean): number {
  const light = skin(luma);
  const small = skin(luma);
  for (let i = 0; i < COUNT; i += 20) {
    small.luma[i]! += levels;
    if (isWhite) {
      // White light is reflected in front of the skin and hides it.
      small.blue[i] = 0;
      small.red[i] = 0;
    } else {
      small.blue[i]! *= (luma + levels) / luma;
      small.red[i]! *= (luma + levels) / luma;
    }
  }
  return glossShare(small, light, weight);
}

test('white reflections on dark skin are gloss', () => {
  assert.ok(spotted(90, 50, true) > 0.9);
});

test('the same light on light skin is none, nor is a light that has the colour of the skin', () => {
  assert.equal(spotted(210, 40, true), 0);
  assert.equal(spotted(90, 30, false), 0);
});

test('colours that stray without any shine are make-up or a mark', () => {
  const light = skin(120);
  const small = skin(120);
  for (let i = 0; i < COUNT; i += 8) small.red[i]! += 40;
  assert.equal(glossShare(small, light, weight), 0);
});

test('texels that are no bare skin do not count', () => {
  const light = skin(90);
  const small = skin(90);
  const bare = plane(1);
  for (let i = 0; i < COUNT; i += 20) {
    small.luma[i] = 240;
    small.red[i] = 0;
    bare[i] = 0;
  }
  assert.equal(glossShare(small, light, bare), 0);
});
