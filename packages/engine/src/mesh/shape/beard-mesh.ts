import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { type Box, boxOfPoints } from '../../face/geometry/box.ts';
import { LANDMARK_COUNT, MESH_VERTEX_COUNT } from '../../face/geometry/face.ts';
import { landmarkDistance } from '../../face/geometry/landmark-distance.ts';
import { type AtlasGeometry } from '../uv/atlas-geometry.ts';
import { COARSE_SIDE, perLayout } from '../uv/atlas-layout.ts';
import { distanceToLine } from '../uv/distance-to-line.ts';
import { CHIN, FACE_OVAL, LIP, TOP } from '../uv/face-regions.ts';

/** Vertices of the outline from one corner of the jaw to the other. */
const JAW = new Set<number>(FACE_OVAL.slice(FACE_OVAL.indexOf(288), FACE_OVAL.indexOf(58) + 1));
/** Length of a dense beard below the mesh, as a share of the face's height. */
const LENGTH_SHARE = 0.06;
/** Reach of the longest beard that is looked for, and the neck below it. */
const ROOM: BeardReach = Float32Array.from({ length: MESH_VERTEX_COUNT }, (_, v) => (JAW.has(v) ? 0.11 : 0));
/**
 * Distance from the outline, in sides of the atlas. 0 at `from`: a vertex keeps its place; 1 at
 * `to`: it is moved as far as the outline.
 */
const NEAR_OUTLINE: Ramp = { from: 0.12, to: 0 };
/**
 * Height of a vertex, in sides of the atlas. 0 at `from`: nothing hangs there; 1 at `to`: it does.
 */
const HANGING: Ramp = { from: 0.68, to: 0.86 };

/**
 * Share of the way from a vertex to the lip where the beard is looked at: the outline's own texels
 * are half outside.
 */
const INNER_SHARE = 0.1;

/** How far a beard reaches beyond each of a face's 468 vertices, as a share of its height. */
export type BeardReach = Float32Array;

/**
 * Returns how far beards reach; null without any.
 * @param dense how dense the source's beard is, 0..1, coarse
 * @param hidden how far the target's beard reaches that has to be hidden, as a share of the face's
 * height, coarse
 */
export function beardReach(
  dense: Float32Array | null,
  hidden: Float32Array | null,
  layout: AtlasGeometry,
): BeardReach | null {
  if (!dense && !hidden) return null;
  const { points, side } = layout;
  const texelOf = (v: number, axis: number): number => {
    const own = points[2 * v + axis]!;
    const inner = own + INNER_SHARE * (points[2 * LIP + axis]! - own);
    return Math.floor((inner * COARSE_SIDE) / side);
  };
  return hangingShares(layout).map((share, v) => {
    if (share === 0) return 0;
    const texel = texelOf(v, 1) * COARSE_SIDE + texelOf(v, 0);
    return share * Math.max(dense ? LENGTH_SHARE * dense[texel]! : 0, hidden ? hidden[texel]! : 0);
  });
}

/** How much of a beard hangs from each vertex, 0..1. */
const hangingShares = perLayout((layout: AtlasGeometry): Float32Array => {
  const { points, side } = layout;
  const outline = [...FACE_OVAL, FACE_OVAL[0]];
  return Float32Array.from({ length: MESH_VERTEX_COUNT }, (_, v) => {
    const [x, y] = [points[2 * v]!, points[2 * v + 1]!];
    return ramp(HANGING, y / side) * ramp(NEAR_OUTLINE, distanceToLine(points, outline, x, y) / side);
  });
});

/**
 * Moves the lower outline of a face to where a beard ends, since the mesh ends at the chin.
 * @param mesh 468 or 478 x (x, y, z)
 * @returns as many landmarks, or the mesh itself if there is no beard
 */
export function beardMesh(mesh: Float32Array, reach: BeardReach | null): Float32Array {
  if (!reach) return mesh;
  const out = mesh.slice();
  const height = landmarkDistance(mesh, TOP, CHIN);
  for (let v = 0; v < MESH_VERTEX_COUNT; v++) {
    if (reach[v] === 0) continue;
    const share = (reach[v]! * height) / landmarkDistance(mesh, LIP, v);
    for (let axis = 0; axis < 3; axis++)
      out[3 * v + axis]! += share * (mesh[3 * v + axis]! - mesh[3 * LIP + axis]!);
  }
  return out;
}

/**
 * Returns the box around a mesh, any beard on it, and the neck that tells whether it is short.
 * @param mesh 478 x (x, y, z)
 */
export function boxWithBeard(mesh: Float32Array): Box {
  return boxOfPoints(beardMesh(mesh, ROOM), LANDMARK_COUNT);
}
