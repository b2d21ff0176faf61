import { LANDMARK_COUNT, MESH_VERTEX_COUNT } from './face.ts';

/** A mesh that is kept for the length of a clip, in 2.8 KB, exact to 1/16,000 of its size. */
export interface MeshRecord {
  /** Centre of the mesh's box in pixels. */
  readonly x: number;
  readonly y: number;
  /** Longer side of the box in pixels. */
  readonly size: number;
  /** 478 x (x, y, z) relative to the centre, in units of `size / UNITS_PER_SIZE`. */
  readonly points: Int16Array;
}

/** Number of units per size of the face in which a record stores coordinates. */
const UNITS_PER_SIZE = 16_000;

/**
 * Makes the record of a mesh.
 * @param landmarks 478 x (x, y, z), pixels; z is cut at two sizes from the image plane
 */
export function recordMesh(landmarks: ArrayLike<number>): MeshRecord {
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (let v = 0; v < MESH_VERTEX_COUNT; v++) {
    left = Math.min(left, landmarks[3 * v]!);
    right = Math.max(right, landmarks[3 * v]!);
    top = Math.min(top, landmarks[3 * v + 1]!);
    bottom = Math.max(bottom, landmarks[3 * v + 1]!);
  }
  const x = (left + right) / 2;
  const y = (top + bottom) / 2;
  const size = Math.max(1e-3, right - left, bottom - top);
  const points = new Int16Array(LANDMARK_COUNT * 3);
  const perPixel = UNITS_PER_SIZE / size;
  for (let i = 0; i < points.length; i++) {
    const from = i % 3 === 0 ? x : i % 3 === 1 ? y : 0;
    points[i] = Math.round(Math.max(-32_000, Math.min(32_000, (landmarks[i]! - from) * perPixel)));
  }
  return { x, y, size, points };
}

/** Adds `weight` times the landmarks (x, y, z each, pixels) to `out`, as many as `out` holds. */
function addMesh({ x, y, size, points }: MeshRecord, weight: number, out: Float32Array): void {
  const step = (weight * size) / UNITS_PER_SIZE;
  const wx = weight * x;
  const wy = weight * y;
  for (let i = 0; i < points.length; i += 3) {
    out[i]! += points[i]! * step + wx;
    out[i + 1]! += points[i + 1]! * step + wy;
    out[i + 2]! += points[i + 2]! * step;
  }
}

/** Writes the mesh to `out`. */
export function readRecord(record: MeshRecord, out: Float32Array): Float32Array {
  out.fill(0);
  addMesh(record, 1, out);
  return out;
}

/** Returns the mesh between two meshes, at `share` (0..1) of the way from `a` to `b`. */
export function between(a: MeshRecord, b: MeshRecord, share: number): MeshRecord {
  const mix = (p: number, q: number): number => p + share * (q - p);
  return {
    x: mix(a.x, b.x),
    y: mix(a.y, b.y),
    size: mix(a.size, b.size),
    points: a.points.map((value, i) => mix(value, b.points[i]!)),
  };
}
