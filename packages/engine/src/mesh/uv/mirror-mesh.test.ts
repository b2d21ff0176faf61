import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { LANDMARK_COUNT } from '../../face/geometry/face.ts';
import { COARSE_SIDE } from './atlas-layout.ts';
import { createAtlasLayouts } from './atlas-layouts.ts';
import { eyeOf } from '../match/eye.ts';
import { EYES } from './face-regions.ts';
import { withMirroredEye } from './mirror-mesh.ts';

const layout = createAtlasLayouts(await loadCanonicalFace())(COARSE_SIDE);

test("one eye takes the other's opening and gaze in the mirror, all else stays", () => {
  const mesh = new Float32Array(3 * LANDMARK_COUNT);
  for (let v = 0; v < layout.points.length / 2; v++)
    mesh.set(layout.points.subarray(2 * v, 2 * v + 2), 3 * v);
  // Both look to the image's right; the right eye is hardly open.
  const [right, left] = EYES.map(({ ring, iris }, k) => {
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
    return x;
  }) as [number, number];
  const before = mesh.slice();
  const eyes = withMirroredEye(mesh, layout, 0);
  const own = eyeOf(eyes, EYES[1]);
  const taken = eyeOf(eyes, EYES[0]);
  assert.ok(Math.abs(taken.opening - own.opening) < 1e-3, `${taken.opening} ${own.opening}`);
  assert.ok(Math.abs(own.x - left - 2) < 1e-3);
  // Mirrored about x = 0: where the source's eyes are does not matter, only each by itself.
  assert.ok(Math.abs(taken.x + left + 2) < 1e-3, `${taken.x} ${right}`);
  assert.ok(Buffer.from(mesh.buffer).equals(Buffer.from(before.buffer)));
  const kept = EYES[1].ring.every((v) => eyes[3 * v] === mesh[3 * v]);
  assert.ok(kept && eyes[0] === mesh[0]);
});
