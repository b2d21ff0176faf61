import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { Atlas } from '../uv/atlas.ts';
import { relight } from './compose.ts';
import type { Light } from '../skin/light.ts';
import { restoreDetail } from './restore-detail.ts';

const layout = createAtlasLayouts(await loadCanonicalFace())(256);
const count = 256 * 256;

const plane = (value: number): Float32Array => new Float32Array(COARSE_SIDE * COARSE_SIDE).fill(value);

function light(luma: number, blue: number, red: number): Light {
  return { luma: plane(luma), blue: plane(blue), red: plane(red) };
}

function atlas(luma: (i: number) => number): Atlas {
  return {
    side: 256,
    luma: Float32Array.from({ length: count }, (_, i) => luma(i)),
    blue: new Float32Array(count).fill(-10),
    red: new Float32Array(count).fill(12),
    facing: new Float32Array(count).fill(1),
  };
}

test('under its own light a face keeps its luma', () => {
  const source = atlas((i) => 100 + ((i * 31) % 40));
  const own = light(120, -10, 12);
  const lit = relight(source, own, own, 1, layout);
  for (let i = 0; i < count; i++) {
    if (layout.oval[i] === 1) assert.ok(Math.abs(lit.luma[i]! - source.luma[i]!) < 0.01);
  }
});

test("skin takes the target's tone, and a dark source's highlights do not burn on a light target", () => {
  const source = atlas((i) => (i % 7 === 0 ? 140 : 60));
  const lit = relight(source, light(60, -10, 12), light(200, -20, 25), 1, layout);
  for (let i = 0; i < count; i++) {
    if (layout.oval[i] === 0) continue;
    if (i % 7 === 0) assert.ok(lit.luma[i]! > 205 && lit.luma[i]! < 255);
    else assert.ok(Math.abs(lit.luma[i]! - 200) < 0.01);
  }
});

test("the shaded tip of a dark source's nose is lit on a light target as a shaded cheek is", () => {
  const lit = relight(
    atlas(() => 50),
    light(90, -14, 20),
    light(200, -20, 25),
    1,
    layout,
  );
  const [tip, columella, cheek, nostril] = [4, 94, 50, 79].map(
    (v) => Math.floor(layout.points[2 * v + 1]!) * 256 + Math.floor(layout.points[2 * v]!),
  );
  for (const plane of [lit.luma, lit.blue, lit.red]) {
    assert.equal(plane[tip!], plane[cheek!]);
    assert.equal(plane[columella!], plane[cheek!]);
  }
  assert.ok(lit.luma[nostril!]! < lit.luma[cheek!]! - 5, 'a nostril stays darker');
});

test('lipstick keeps most of its colour, and light on skin that is as red gets paler', () => {
  const source = atlas(() => 100);
  source.red.fill(80);
  const lit = relight(source, light(100, -10, 12), light(100, -10, 12), 1, layout);
  const [lip, cheek] = [17, 50].map(
    (v) => Math.floor(layout.points[2 * v + 1]!) * 256 + Math.floor(layout.points[2 * v]!),
  );
  assert.ok(lit.red[lip!]! > 50 && lit.red[cheek!]! < 40, `${lit.red[lip!]} ${lit.red[cheek!]}`);
});

test('a grey target gives a face without any colour of its own', () => {
  const lit = relight(
    atlas((i) => 80 + (i % 60)),
    light(110, -4, 3),
    light(130, 0, 0),
    0,
    layout,
  );
  assert.ok(lit.blue.every((value) => value === 0) && lit.red.every((value) => value === 0));
});

test('restored detail is proportional to its strength and bounded: no halos', () => {
  const edge = Float32Array.from({ length: count }, (_, i) => (i % 256 < 128 ? 60 : 200));
  const half = restoreDetail(edge, layout, { pixelTexels: 1, blur: 0 }, 0.5);
  const full = restoreDetail(edge, layout, { pixelTexels: 1, blur: 0 }, 1);
  for (let i = 0; i < count; i++) {
    assert.ok(Math.abs(full[i]! - edge[i]!) <= 14);
    assert.ok(Math.abs(full[i]! - edge[i]! - 2 * (half[i]! - edge[i]!)) < 1e-3);
  }
  assert.deepEqual(restoreDetail(edge, layout, { pixelTexels: 1, blur: 0 }, 0), edge);
});
