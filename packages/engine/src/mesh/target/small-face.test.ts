import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { unwrapFace } from '../uv/atlas.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { unwrapSmall } from './small-face.ts';
import { TRACK_SIDE } from '../video/light.ts';

test('a small face is what spreading its triangles gives', async () => {
  const layout = createAtlasLayouts(await loadCanonicalFace())(TRACK_SIDE);
  const side = 96;
  const image = { data: new Uint8Array(3 * side * side), width: side, height: side };
  for (let i = 0; i < side * side; i++)
    image.data.set([i % side, 2 * Math.floor(i / side), 255 - (i % side)], 3 * i);
  const factor = 3;
  // The face as it is in the atlas, turned a little about both axes.
  const landmarks = Float32Array.from({ length: 478 * 3 }, (_, i) => {
    const v = Math.floor(i / 3);
    if (v >= 468) return 0;
    const [u, w] = [layout.points[2 * v]!, layout.points[2 * v + 1]!];
    return factor * [u + 12, w + 0.2 * u, 0.4 * u - 0.3 * w][i % 3]!;
  });
  const own = landmarks.map((value) => value / factor);
  const wanted = unwrapFace(layout, new ImagePyramid(image, ordinaryPlanes), own);
  const small = unwrapSmall(layout, image, landmarks, factor, ordinaryPlanes);
  let covered = 0;
  for (let i = 0; i < wanted.luma.length; i++) {
    if (wanted.facing[i]! > 0) covered += 1;
    assert.ok(Math.abs(small.luma[i]! - wanted.luma[i]!) < 0.05, `luma ${i}`);
    assert.ok(Math.abs(small.blue[i]! - wanted.blue[i]!) < 0.05, `blue ${i}`);
    assert.ok(Math.abs(small.red[i]! - wanted.red[i]!) < 0.05, `red ${i}`);
    assert.ok(Math.abs(small.facing[i]! - wanted.facing[i]!) < 1e-3, `facing ${i}`);
  }
  assert.ok(covered > 1000, `${covered}`);
});
