import { faceAllowance } from '@guise/kernels/face/face-allowance.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { AtlasGeometry } from '../uv/atlas-geometry.ts';

/** Rectangle of whole pixels of an image. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A region, and how much each of its pixels may change: 0..1, row by row. */
export interface Stencil extends Region {
  readonly allowance: Float32Array;
}

/**
 * Half the width of the fade at the face's edge, as a share of the face's width in the image.
 * Without the fade, a side that turns away or a face of few pixels would have a jagged edge.
 */
const EDGE_SHARE = 0.012;

/**
 * Measures how much each pixel of the region may change, 0..1, row by row. The value is 0 outside
 * the target's true mesh, rises towards the inside, and is lower behind things in front of the
 * face. `points` are the mesh's x, y in the region's pixels. `occluded` is a plane of the layout's
 * size, 0..1, or null.
 */
export function allowanceOf(
  points: Float32Array,
  layout: AtlasGeometry,
  area: Region,
  occluded: Float32Array | null,
  make: PlaneMaker = ordinaryPlanes,
): Float32Array {
  const { width, height } = area;
  const { points: texelAt, triangles, side } = layout;
  const radius = edgeRadius(width);
  const allowance = make.floats(width * height);
  const occluders = occluded && { plane: occluded, side, triangles };
  faceAllowance({ points, texelAt, triangles }, width, height, radius, occluders, allowance);
  return allowance;
}

/**
 * Margin around a triangle, texels, because a value between two texels may come from a smaller
 * plane.
 */
const TRIANGLE_MARGIN_TEXELS = 2;

/**
 * Finds the triangles that touch a plane (of the layout's size) where it is not 0, even after the
 * plane is enlarged. Returns three vertex numbers for each triangle.
 */
export function trianglesUnder(plane: Float32Array, { points, triangles, side }: AtlasGeometry): Uint16Array {
  const under = new Uint16Array(triangles.length);
  let count = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 2 * triangles[t]!;
    const b = 2 * triangles[t + 1]!;
    const c = 2 * triangles[t + 2]!;
    const left = Math.floor(Math.min(points[a]!, points[b]!, points[c]!)) - TRIANGLE_MARGIN_TEXELS;
    const right = Math.ceil(Math.max(points[a]!, points[b]!, points[c]!)) + TRIANGLE_MARGIN_TEXELS;
    const top = Math.floor(Math.min(points[a + 1]!, points[b + 1]!, points[c + 1]!)) - TRIANGLE_MARGIN_TEXELS;
    const bottom =
      Math.ceil(Math.max(points[a + 1]!, points[b + 1]!, points[c + 1]!)) + TRIANGLE_MARGIN_TEXELS;
    if (isEmpty(plane, side, left, right, top, bottom)) continue;
    for (let k = 0; k < 3; k++) under[count++] = triangles[t + k]!;
  }
  return under.subarray(0, count);
}

function isEmpty(
  plane: Float32Array,
  side: number,
  left: number,
  right: number,
  top: number,
  bottom: number,
): boolean {
  const last = Math.min(side, right);
  for (let y = Math.max(0, top); y < Math.min(side, bottom); y++)
    for (let i = y * side + Math.max(0, left), end = y * side + last; i < end; i++)
      if (plane[i] !== 0) return false;
  return true;
}

/** Returns the radius of the fade at the face's edge, pixels. @param width of the face, pixels */
export function edgeRadius(width: number): number {
  return Math.max(1, Math.round(width * EDGE_SHARE));
}
