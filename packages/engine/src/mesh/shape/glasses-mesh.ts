import { MESH_VERTEX_COUNT } from '../../face/geometry/face.ts';
import { fitSimilarity3d } from '../../face/geometry/rigid-fit.ts';
import { CHIN, SIDES, TOP } from '../uv/face-regions.ts';

/** Vertices that glasses keep their place to: nose bridge, corners of the eyes, temples, ears. */
const RESTS = [168, 6, 197, 195, 33, 133, 362, 263, 127, 356, 234, 454] as const;
/** Vertex between the eyes, as far in front as the middle of a pair of glasses. */
const BRIDGE = 168;
/**
 * Depth by which glasses bend backwards, as a share of the head's width, at a head's width from the
 * middle.
 */
const BEND_SHARE = 0.31;

type Vector = readonly [x: number, y: number, z: number];

/**
 * Places the picture of a source's glasses in the target. Glasses are stiff and lie in front of the
 * face, so each vertex moves as the place of the glasses that hides it in the source's photo.
 * @param source mesh of the photo, 468 or 478 x (x, y, z)
 * @param target mesh of the face that wears them, the same, in target pixels
 * @param onHead share of each vertex's depth that is the head's, 0..1: 0 at the lenses, 1 at the
 * ears, which the arms lead to
 * @returns 468 x (x, y, z) in target pixels
 */
export function glassesMesh(
  source: Float32Array,
  target: Float32Array,
  onHead: (vertex: number) => number,
): Float32Array {
  const weights = new Float32Array(MESH_VERTEX_COUNT);
  for (const v of RESTS) weights[v] = 1;
  const { scale, rotation, translation } = fitSimilarity3d(source, target, weights);
  const forward = forwardOf(source);
  const bridge = at(source, BRIDGE);
  const across = minus(at(source, SIDES[1]), at(source, SIDES[0]));
  const width = Math.hypot(...across);
  const level = dot(forward, bridge);
  const out = new Float32Array(3 * MESH_VERTEX_COUNT);
  for (let v = 0; v < MESH_VERTEX_COUNT; v++) {
    const [x, y, own] = at(source, v);
    const depthAt = (height: number): number => (height - x * forward[0] - y * forward[1]) / forward[2];
    const aside = dot(across, minus([x, y, depthAt(level)], bridge)) / width;
    const before = depthAt(level - (BEND_SHARE * aside ** 2) / width);
    const place: Vector = [x, y, before + onHead(v) * (own - before)];
    for (let axis = 0; axis < 3; axis++) {
      const row: Vector = [rotation[3 * axis]!, rotation[3 * axis + 1]!, rotation[3 * axis + 2]!];
      out[3 * v + axis] = scale * dot(row, place) + translation[axis]!;
    }
  }
  return out;
}

/** Returns the angle between the directions that two faces look in, degrees. */
export function angleBetween(one: Float32Array, other: Float32Array): number {
  return degrees(dot(forwardOf(one), forwardOf(other)));
}

/** Returns the angle by which a face looks past the camera, degrees. */
export function angleToCamera(mesh: Float32Array): number {
  return degrees(-forwardOf(mesh)[2]);
}

function degrees(cosine: number): number {
  return (Math.acos(Math.max(-1, Math.min(1, cosine))) * 180) / Math.PI;
}

/** Returns the direction that a face looks in, as a unit vector; z points away from the camera. */
function forwardOf(mesh: Float32Array): Vector {
  const [ax, ay, az] = minus(at(mesh, SIDES[1]), at(mesh, SIDES[0]));
  const [dx, dy, dz] = minus(at(mesh, CHIN), at(mesh, TOP));
  const [x, y, z] = [dy * az - dz * ay, dz * ax - dx * az, dx * ay - dy * ax];
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

function at(mesh: Float32Array, v: number): Vector {
  return [mesh[3 * v]!, mesh[3 * v + 1]!, mesh[3 * v + 2]!];
}

function minus(a: Vector, b: Vector): Vector {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
