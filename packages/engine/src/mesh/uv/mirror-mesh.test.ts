import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { LANDMARK_COUNT } from '../../face/geometry/face.ts';
import { COARSE_SIDE } from './atlas-layout.ts';
import { createAtlasLayouts } from './atlas-layouts.ts';
import { eyeOf } from '../match/eye.ts';
import { EYES } from './face-regions.ts';
import { mirrorMesh } from './mirror-mesh.ts';

const layout = createAtlasLayouts(await loadCanonicalFace())(COARSE_SIDE);

test("in the mirror one eye has the other's opening and gaze, and twice mirrored all is as it was", () => {
  const mesh = new Float32Array(3 * LANDMARK_COUNT);
  for (let v = 0; v < layout.points.length / 2; v++)
    mesh.set(layout.points.subarray(2 * v, 2 * v + 2), 3 * v);
  // Both look to the image's right; the right eye is hardly open.
  for (const [k, { ring, iris }] of EYES.entries()) {
    const middle = ring.reduce((sum, v) => sum + mesh[3 * v + 1]!, 0) / ring.length;
    const x = ring.reduce((sum, v) => sum + mesh[3 * v]!, 0) / ring.length;
    for (const v of ring) mesh[3 * v + 1] = middle + (k === 0 ? 0.2 : 1) * (mesh[3 * v + 1]! - middle);
    for (const [p, [dx, dy]] of [
      [0, 0],
      [1, 0],
      [0, -1],
      [-1, 0],
      [0, 1],
    ].entries())
      mesh.set([x + 2 + dx!, middle + dy!, 0], 3 * (iris + p));
  }
  const mirrored = mirrorMesh(mesh, layout);
  const [own, taken] = [eyeOf(mesh, EYES[1]), eyeOf(mirrored, EYES[0])];
  assert.ok(Math.abs(taken.opening - own.opening) < 1e-3, `${taken.opening} ${own.opening}`);
  // The mirror is at x = 0.
  assert.ok(Math.abs(taken.x + own.x) < 1e-3, `${taken.x} ${own.x}`);
  assert.deepEqual(mirrorMesh(mirrored, layout), mesh);
});
