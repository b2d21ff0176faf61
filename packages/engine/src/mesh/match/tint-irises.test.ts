import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { setIris } from '../testing/set-iris.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { Atlas } from '../uv/atlas.ts';
import { EYES } from '../uv/face-regions.ts';
import { irisTexels, meanColour } from './iris-ring.ts';
import { tintIrises } from './tint-irises.ts';

const SIDE = 256;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);
const BROWN = [60, -14, 18] as const;

/** Makes landmarks of a face that looks straight and has the same place in picture and atlas. */
function face(): Float32Array {
  const mesh = new Float32Array(478 * 3);
  for (let v = 0; v < 468; v++) mesh.set(layout.points.subarray(2 * v, 2 * v + 2), 3 * v);
  for (const { ring, iris } of EYES) {
    setIris(mesh, iris, ...irisOf(ring));
  }
  return mesh;
}

function irisOf(ring: readonly number[]): [x: number, y: number, radius: number] {
  const middle = (at: number): number => {
    const values = ring.map((v) => layout.points[2 * v + at]!);
    return (Math.max(...values) + Math.min(...values)) / 2;
  };
  const xs = ring.map((v) => layout.points[2 * v]!);
  return [middle(0), middle(1), (Math.max(...xs) - Math.min(...xs)) / 6];
}

/** Paints grey-blue irises with black pupils and a reflection, in white eyes. */
function target(): Atlas {
  return paintedAtlas(SIDE, (u, v) => {
    for (const { ring } of EYES) {
      const [x, y, radius] = irisOf(ring);
      const distance = Math.hypot(u * SIDE - x, v * SIDE - y) / radius;
      if (distance < 0.3) return [15, 0, 0];
      if (distance < 1) return u * SIDE > x && v * SIDE < y ? [240, 0, 0] : [120, 10, -8];
    }
    return [220, 0, 0];
  });
}

const [IRIS_X, IRIS_Y, RADIUS] = irisOf(EYES[0].ring);
/** Returns a texel of the first eye, so many radii from the middle of its iris. */
const at = (dx: number, dy = 0): number =>
  Math.round(IRIS_Y + dy * RADIUS - 0.5) * SIDE + Math.round(IRIS_X + dx * RADIUS - 0.5);
const RING = at(-0.65);

/** Tints a target that shows this share of the source's eyes. */
function tinted(sourceShare: number): { lit: Atlas; shown: Float32Array } {
  const lit = paintedAtlas(SIDE, () => [90, 0, 0]);
  const shown = new Float32Array(SIDE * SIDE).fill(sourceShare);
  tintIrises(lit, shown, target(), BROWN, layout, face());
  return { lit, shown };
}

test("a target's own eyes take the colour of the source's irises", () => {
  const { lit, shown } = tinted(0);
  assert.ok(shown[RING]! > 0.95, `${shown[RING]}`);
  assert.ok(lit.red[RING]! > 8 && lit.blue[RING]! < -5, `${lit.red[RING]} ${lit.blue[RING]}`);
  assert.ok(lit.luma[RING]! < 95, `${lit.luma[RING]}`);
});

test('pupil, reflection, white and lids stay as they are', () => {
  const { shown } = tinted(0);
  for (const texel of [at(0), at(0.4, -0.4), at(1.5), at(0, -3)]) assert.equal(shown[texel], 0);
});

test("where the source's own eyes are drawn nothing changes", () => {
  const { lit, shown } = tinted(1);
  assert.ok(lit.luma.every((value) => value === 90) && shown.every((value) => value === 1));
});

test('a window that is mirrored in half of an iris has no say in its colour', () => {
  const texels = irisTexels(layout, face());
  const shown = paintedAtlas(SIDE, () => [...BROWN]);
  for (const texel of texels.slice(0, texels.length / 2)) {
    shown.luma[texel] = 170;
    shown.blue[texel] = 12;
  }
  for (const [k, value] of meanColour(shown, texels)!.entries())
    assert.ok(Math.abs(value - BROWN[k]!) < 0.01);
});

test('an eye that is hardly open tells no colour', () => {
  const shut = face();
  for (const { ring } of EYES) {
    const y = irisOf(ring)[1];
    for (const v of ring) shut[3 * v + 1] = y + (shut[3 * v + 1]! - y) * 0.2;
  }
  assert.deepEqual(irisTexels(layout, shut), []);
  assert.equal(meanColour(target(), []), null);
});
