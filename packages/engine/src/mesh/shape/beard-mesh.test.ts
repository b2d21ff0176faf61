import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { boxOfPoints } from '../../face/geometry/box.ts';
import { MESH_VERTEX_COUNT } from '../../face/geometry/face.ts';
import { inImageAxes } from '../../face/geometry/pose.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { beardMesh, beardReach, boxWithBeard } from './beard-mesh.ts';

const canonical = await loadCanonicalFace();
const layout = createAtlasLayouts(canonical)(256);
const mesh = inImageAxes(canonical.vertices).map((value) => value * 20);
/** Vertices: top and chin, lower lip, corner of the mouth, left and right side of the chin, ear. */
const [TOP, CHIN, LIP, MOUTH, LEFT, RIGHT, EAR] = [10, 152, 17, 61, 149, 378, 234] as const;
const height = Math.abs(mesh[3 * CHIN + 1]! - mesh[3 * TOP + 1]!);

/** Returns the mesh below a beard that is dense where `where` says. */
const wearing = (
  where: (u: number) => boolean,
  hidden: Float32Array | null = null,
  face = mesh,
): Float32Array => beardMesh(face, beardReach(dense(where), hidden, layout));

const dense = (where: (u: number) => boolean): Float32Array =>
  Float32Array.from({ length: COARSE_SIDE ** 2 }, (_, i) =>
    Number(where(((i % COARSE_SIDE) + 0.5) / COARSE_SIDE)),
  );
const moved = (out: Float32Array, v: number): number =>
  Math.hypot(out[3 * v]! - mesh[3 * v]!, out[3 * v + 1]! - mesh[3 * v + 1]!) / height;

test('a beard reaches below the chin, and moves neither mouth nor ears', () => {
  const out = wearing(() => true);
  assert.ok(out[3 * CHIN + 1]! > mesh[3 * CHIN + 1]!, 'downwards');
  assert.ok(moved(out, CHIN) > 0.03 && moved(out, CHIN) < 0.08, `chin ${moved(out, CHIN)}`);
  for (const v of [LIP, MOUTH, EAR, TOP]) assert.equal(moved(out, v), 0, `vertex ${v}`);
});

test('it reaches further where it is dense, and nowhere without hairs', () => {
  const left = wearing((u) => u < 0.5);
  assert.ok(moved(left, LEFT) > 0.02 && moved(left, RIGHT) === 0);
  const none = wearing(() => false);
  assert.deepEqual(none, mesh.slice(0, 3 * MESH_VERTEX_COUNT));
});

test('the mesh hides a beard of the target as far as that reaches', () => {
  const hidden = dense((u) => u < 0.5).map((share) => 0.1 * share);
  const out = beardMesh(mesh, beardReach(null, hidden, layout));
  assert.ok(moved(out, LEFT) > 0.05 && moved(out, RIGHT) === 0);
  const both = wearing(() => true, hidden);
  assert.equal(moved(both, LEFT), moved(out, LEFT));
  assert.ok(moved(both, RIGHT) > 0.02);
  assert.equal(beardMesh(mesh, beardReach(null, null, layout)), mesh);
});

test('the box of a face has room for the longest beard', () => {
  const tilted = mesh.map((value, i) => (i % 3 === 0 ? mesh[i + 1]! : i % 3 === 1 ? -mesh[i - 1]! : value));
  for (const face of [mesh, tilted]) {
    const out = wearing(() => true, null, face);
    const beard = boxOfPoints(out, MESH_VERTEX_COUNT);
    const room = boxWithBeard(Float32Array.from({ length: 3 * 478 }, (_, i) => face[i % face.length]!));
    assert.ok(room.left <= beard.left && room.right >= beard.right && room.top <= beard.top);
    assert.ok(room.bottom >= beard.bottom, `${room.bottom} and ${beard.bottom}`);
  }
});
