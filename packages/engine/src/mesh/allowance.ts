import { faceAllowance } from '@guise/kernels/face-allowance.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { AtlasLayout } from './atlas-layout.ts';

/** Whole pixels of an image. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * The face's edge fades over about twice this share of its width in the image, whatever its scale in the atlas: a side that
 * turns away or a face of few pixels would end in a staircase.
 */
const EDGE_SHARE = 0.012;

/**
 * How much each pixel of the region may change, 0..1, row-major: 0 outside the target's true mesh, rising inwards, and less
 * where something lies in front of the face. `points` are the mesh's x, y in the region's pixels; `occluded` is a plane of the
 * layout's size, 0..1, or null.
 */
export function allowanceOf(
  points: Float32Array,
  layout: AtlasLayout,
  area: Region,
  occluded: Float32Array | null,
  make: PlaneMaker = ordinaryPlanes,
): Float32Array {
  const { width, height } = area;
  const { points: texelAt, triangles, side } = layout;
  const radius = edgeRadius(width);
  const allowance = make.floats(width * height);
  faceAllowance({ points, texelAt, triangles }, width, height, radius, occluded, side, allowance);
  return allowance;
}

/** In pixels, for a face of this width. */
export function edgeRadius(width: number): number {
  return Math.max(1, Math.round(width * EDGE_SHARE));
}
