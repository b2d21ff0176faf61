import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { mirrorTexel } from '../uv/texel.ts';
import { glassesHull } from './glasses-hull.ts';

const layouts = createAtlasLayouts(await loadCanonicalFace());
const SIDES = [128, 512];

test('bridge, pads, rims of large lenses and arms lie in the hull, forehead, nose and mouth do not', () => {
  for (const side of SIDES) {
    const hull = glassesHull(layouts(side));
    const at = (u: number, v: number): number => hull[Math.floor(v * side) * side + Math.floor(u * side)]!;
    for (const [u, v] of [
      [0.5, 0.35],
      [0.45, 0.43],
      [0.34, 0.525],
      [0.34, 0.27],
      [0.2, 0.4],
      [0.12, 0.36],
    ] as const)
      assert.ok(at(u, v) > 0.99 && at(1 - u, v) > 0.99, `${u}, ${v} of ${side}: ${at(u, v)}`);
    for (const [u, v] of [
      [0.5, 0.15],
      [0.3, 0.17],
      [0.5, 0.55],
      [0.35, 0.65],
      [0.5, 0.75],
    ] as const)
      assert.equal(at(u, v), 0, `${u}, ${v} of ${side}`);
  }
});

test('the hull is as good as symmetric, and ends with the face', () => {
  const layout = layouts(512);
  const hull = glassesHull(layout);
  let unlike = 0;
  for (let i = 0; i < hull.length; i++) {
    if (layout.oval[i] === 0) assert.equal(hull[i], 0);
    if (Math.abs(hull[i]! - hull[mirrorTexel(i, 512)]!) > 0.5) unlike += 1;
  }
  assert.ok(unlike < 0.002 * hull.length, `${unlike}`);
});
