import { LANDMARK_COUNT, MESH_VERTEX_COUNT } from '../../face/geometry/face.ts';
import type { AtlasGeometry } from './atlas-geometry.ts';
import { perLayout } from './atlas-layout.ts';

/**
 * Points of an iris in the mirror: the centre, then right, top, left, bottom. A mirror exchanges
 * right and left.
 */
const IRIS_IN_MIRROR = [0, 3, 2, 1, 4] as const;
/** Number of an iris's landmarks, including its centre. */
const IRIS_POINT_COUNT = IRIS_IN_MIRROR.length;

/**
 * Mirrors the landmarks of a face, (x, y, z) each. x is measured from the middle of their image.
 */
export function mirrorMesh(mesh: Float32Array, layout: AtlasGeometry): Float32Array {
  const mirrored = mirrorVertices(layout);
  const out = new Float32Array(mesh.length);
  for (let v = 0; 3 * v < mesh.length; v++) {
    const other = 3 * mirrored[v]!;
    out[3 * v] = -mesh[other]!;
    out[3 * v + 1] = mesh[other + 1]!;
    out[3 * v + 2] = mesh[other + 2]!;
  }
  return out;
}

/** Finds, for each landmark, the landmark whose place it takes in a mirror. */
const mirrorVertices = perLayout(({ points, side }: AtlasGeometry): Uint16Array => {
  const mirrored = new Uint16Array(LANDMARK_COUNT);
  for (let v = 0; v < MESH_VERTEX_COUNT; v++) {
    let nearest = Infinity;
    for (let w = 0; w < MESH_VERTEX_COUNT; w++) {
      const away = Math.hypot(
        side - points[2 * v]! - points[2 * w]!,
        points[2 * v + 1]! - points[2 * w + 1]!,
      );
      if (away >= nearest) continue;
      nearest = away;
      mirrored[v] = w;
    }
  }
  const second = MESH_VERTEX_COUNT + IRIS_POINT_COUNT;
  for (const [k, other] of IRIS_IN_MIRROR.entries()) {
    mirrored[MESH_VERTEX_COUNT + k] = second + other;
    mirrored[second + k] = MESH_VERTEX_COUNT + other;
  }
  return mirrored;
});
