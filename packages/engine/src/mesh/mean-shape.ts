import type { CanonicalFace } from '../face/canonical-face.ts';
import { MESH_VERTEX_COUNT } from '../face/face.ts';
import { inImageAxes } from '../face/pose.ts';
import { fitSimilarity3d } from '../face/rigid-fit.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';

/** Faces turned further than this show one side only: they say little of the shape. Cosine of the turn. */
const TURNED = 0.7;
const STRAIGHT = 0.95;

/**
 * The shape that many meshes of one face have in common: each turned straight and brought to the canonical face's size and
 * axes (x right, y down, z away), then averaged; expressions cancel out. `meshes` are 468 x (x, y, z) and may be one
 * buffer that is filled anew. `worths`, where some count more than others, are one a mesh.
 */
export function meanShape(
  canonical: CanonicalFace,
  meshes: Iterable<Float32Array>,
  worths?: readonly number[],
): Float32Array {
  const upright = inImageAxes(canonical.vertices);
  const sum = new Float64Array(MESH_VERTEX_COUNT * 3);
  let total = 0;
  let at = 0;
  for (const mesh of meshes) {
    const { scale, rotation, translation } = fitSimilarity3d(mesh, upright, canonical.poseWeights);
    const weight = (worths?.[at++] ?? 1) * (0.01 + smoothstep(TURNED, STRAIGHT, rotation[8]!));
    total += weight;
    for (let v = 0; v < MESH_VERTEX_COUNT; v++) {
      const x = mesh[3 * v]!;
      const y = mesh[3 * v + 1]!;
      const z = mesh[3 * v + 2]!;
      for (let axis = 0; axis < 3; axis++) {
        const r = 3 * axis;
        const value = rotation[r]! * x + rotation[r + 1]! * y + rotation[r + 2]! * z;
        sum[3 * v + axis]! += weight * (scale * value + translation[axis]!);
      }
    }
  }
  return Float32Array.from(sum, (value) => value / total);
}
