import type { Affine } from '@guise/kernels/affine.ts';
import { MESH_VERTEX_COUNT } from './face.ts';

/**
 * A square of the image that a network reads: centre and side in pixels, turned clockwise by
 * `angle` radians.
 */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly angle: number;
}

/**
 * Side of the square for which the landmark model was trained, in longer sides of the face's box or
 * mesh.
 */
export const MESH_REGION_SCALE = 1.5;

/** Outer corner of the image-left eye. */
const LEFT_EYE_OUTER = 33;
/** Outer corner of the image-right eye. */
const RIGHT_EYE_OUTER = 263;

/**
 * Returns the map from coordinates of the region's crop of `side` x `side` pixels to image
 * coordinates.
 */
export function regionToImage(region: Region, side: number): Affine {
  const cos = (Math.cos(region.angle) * region.size) / side;
  const sin = (Math.sin(region.angle) * region.size) / side;
  const half = side / 2;
  return [cos, -sin, region.x - half * (cos - sin), sin, cos, region.y - half * (sin + cos)];
}

/** Returns the square around points, `scale` times their longer side, turned by `angle`. */
export function squareAround(
  points: ArrayLike<number>,
  { count, stride, angle, scale }: SquareOptions,
): Region {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (let i = 0; i < count; i++) {
    const x = points[stride * i]! * cos + points[stride * i + 1]! * sin;
    const y = points[stride * i + 1]! * cos - points[stride * i]! * sin;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  const u = (left + right) / 2;
  const v = (top + bottom) / 2;
  return {
    x: u * cos - v * sin,
    y: u * sin + v * cos,
    size: scale * Math.max(right - left, bottom - top),
    angle,
  };
}

interface SquareOptions {
  readonly count: number;
  /** Number of values per point. The first two are x and y. */
  readonly stride: number;
  /** Radians. */
  readonly angle: number;
  readonly scale: number;
}

/**
 * Returns the square around a mesh, `scale` times its longer side, upright relative to the line
 * between the eyes.
 */
export function regionOfMesh(landmarks: ArrayLike<number>, scale: number): Region {
  const angle = Math.atan2(
    landmarks[3 * RIGHT_EYE_OUTER + 1]! - landmarks[3 * LEFT_EYE_OUTER + 1]!,
    landmarks[3 * RIGHT_EYE_OUTER]! - landmarks[3 * LEFT_EYE_OUTER]!,
  );
  return squareAround(landmarks, { count: MESH_VERTEX_COUNT, stride: 3, angle, scale });
}
