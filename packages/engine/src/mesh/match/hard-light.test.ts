import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { Atlas } from '../uv/atlas.ts';
import { matchHardLight, shineOf } from './hard-light.ts';

const SIDE = 256;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);
const SKIN_LUMA = 100;
/** Vertices of a cheek, of the chin below the lips, and of the middle of a lip. */
const [CHEEK, CHIN, LIP] = [50, 199, 0];

function near(vertex: number, side: number, texel: number, reach = 0.03): boolean {
  const scale = side / SIDE;
  const x = (texel % side) - scale * layout.points[2 * vertex]!;
  const y = Math.floor(texel / side) - scale * layout.points[2 * vertex + 1]!;
  return Math.hypot(x, y) < reach * side;
}

function lumaNear({ luma, side }: Atlas, vertex: number): number {
  const values = luma.filter((_, i) => near(vertex, side, i, 0.01));
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Paints a target lit as brightly as its skin, with shine on its cheek and shade on its chin. */
function targetOf(
  shine: number,
  shade = 0,
): Parameters<typeof matchHardLight>[1] & {
  readonly light: Atlas;
} {
  const paint = (lift: number): Atlas =>
    paintedAtlas(COARSE_SIDE, (_u, _v, i) => [
      SKIN_LUMA +
        (near(CHEEK, COARSE_SIDE, i) ? lift : 0) -
        (near(CHIN, COARSE_SIDE, i) && lift > 0 ? shade : 0),
      -10,
      15,
    ]);
  return {
    small: paint(shine),
    light: paint(0),
    skin: new Float32Array(COARSE_SIDE ** 2).fill(1),
    occluded: new Float32Array(SIDE * SIDE),
    veil: 0,
  };
}

/** Paints a target with bright specks all over, white or of the skin's colour. */
function speckled(isWhite: boolean): ReturnType<typeof targetOf> {
  const target = targetOf(0);
  const { luma, red } = target.small;
  for (let i = 0; i < luma.length; i += 8) {
    luma[i]! += 40;
    if (isWhite) red[i] = 0;
  }
  return target;
}

function plainFace(): Atlas {
  return paintedAtlas(SIDE, () => [SKIN_LUMA - 10, -5, 10]);
}

test('hard sunlight is told by how far its highlights stand out', () => {
  assert.equal(shineOf(targetOf(0), layout, ordinaryPlanes).kept, 0);
  assert.equal(shineOf(targetOf(40), layout, ordinaryPlanes).kept, 0);
  assert.equal(shineOf(targetOf(90), layout, ordinaryPlanes).kept, 1);
});

test("the target's highlights and colours come, and skin only goes most of the way", () => {
  const lit = plainFace();
  matchHardLight(lit, targetOf(90), 1, layout, ordinaryPlanes);
  const cheek = lumaNear(lit, CHEEK);
  assert.ok(cheek > SKIN_LUMA + 60 && cheek < SKIN_LUMA + 80, `${cheek}`);
});

test('a glossy skin keeps half of its relief, the same shine in the colour of the skin none', () => {
  const { kept, gloss } = shineOf(speckled(true), layout, ordinaryPlanes);
  assert.ok(gloss > 0.5, `${gloss}`);
  assert.ok(Math.abs(kept - 0.5 * gloss) < 1e-6, `${kept}`);
  assert.deepEqual(shineOf(speckled(false), layout, ordinaryPlanes), { kept: 0, gloss: 0 });
});

test('features stay, and so does what may be a beard', () => {
  const lit = plainFace();
  matchHardLight(lit, targetOf(90, 60), 1, layout, ordinaryPlanes);
  assert.ok(Math.abs(lumaNear(lit, LIP) - (SKIN_LUMA - 10)) < 3, `${lumaNear(lit, LIP)}`);
  assert.ok(Math.abs(lumaNear(lit, CHIN) - (SKIN_LUMA - 10)) < 3, `${lumaNear(lit, CHIN)}`);
});

test('behind glasses and hair, and at share 0, no bit changes', () => {
  const before = plainFace();
  const covered = { ...targetOf(90), occluded: new Float32Array(SIDE * SIDE).fill(1) };
  for (const [target, share] of [
    [covered, 1],
    [targetOf(90), 0],
  ] as const) {
    const lit = plainFace();
    matchHardLight(lit, target, share, layout, ordinaryPlanes);
    assert.deepEqual([lit.luma, lit.blue, lit.red], [before.luma, before.blue, before.red]);
  }
});
