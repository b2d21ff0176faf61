import { boxBlur } from '@guise/kernels/box-blur.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import { triangleSpans } from '@guise/kernels/triangle-spans.ts';
import type { TriangleSpans } from '@guise/kernels/triangle-spans.ts';
import type { AtlasLayout } from './atlas-layout.ts';
import { planeOfTriangle } from './triangle-plane.ts';

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
export const EDGE_SHARE = 0.012;

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
): Float32Array {
  const { width, height } = area;
  const { triangles } = layout;
  const allowance = new Float32Array(width * height);
  const spans = triangleSpans(points, triangles, width, height);
  for (let run = 0; run < spans.row.length; run++) {
    const start = spans.row[run]! * width;
    allowance.fill(1, start + spans.left[run]!, start + spans.right[run]!);
  }
  const edge = allowance.slice();
  const radius = Math.max(1, Math.round(width * EDGE_SHARE));
  boxBlur(edge, new Float32Array(width * height), width, height, radius, 2);
  for (let i = 0; i < edge.length; i++)
    if (allowance[i] === 1) allowance[i] = smoothstep(0.5, 0.97, edge[i]!);
  if (occluded) keepInFront(allowance, width, points, layout, spans, occluded);
  return allowance;
}

/**
 * Takes what lies in front of the face out of the allowance of a region `width` wide, in place. `spans` are those of all the
 * layout's triangles at `points`.
 */
export function keepInFront(
  allowance: Float32Array,
  width: number,
  points: Float32Array,
  layout: AtlasLayout,
  spans: TriangleSpans,
  occluded: Float32Array,
): void {
  const { side, triangles } = layout;
  const mapU = new Float64Array(3);
  const mapV = new Float64Array(3);
  for (let t = 0; 3 * t < triangles.length; t++) {
    const a = triangles[3 * t]!;
    const b = triangles[3 * t + 1]!;
    const c = triangles[3 * t + 2]!;
    if (turn(points, a, b, c) * turn(layout.points, a, b, c) <= 0) continue;
    const uv = layout.points;
    planeOfTriangle(points, 2, a, b, c, uv[2 * a]!, uv[2 * b]!, uv[2 * c]!, mapU);
    planeOfTriangle(points, 2, a, b, c, uv[2 * a + 1]!, uv[2 * b + 1]!, uv[2 * c + 1]!, mapV);
    for (let run = spans.first[t]!, end = spans.first[t + 1]!; run < end; run++) {
      const row = spans.row[run]!;
      const left = spans.left[run]!;
      let u = mapU[0]! * (left + 0.5) + mapU[1]! * (row + 0.5) + mapU[2]! - 0.5;
      let v = mapV[0]! * (left + 0.5) + mapV[1]! * (row + 0.5) + mapV[2]! - 0.5;
      const start = row * width;
      for (let i = start + left, last = start + spans.right[run]!; i < last; i++) {
        const cu = u < 0 ? 0 : u > side - 1.001 ? side - 1.001 : u;
        const cv = v < 0 ? 0 : v > side - 1.001 ? side - 1.001 : v;
        const iu = cu | 0;
        const iv = cv | 0;
        const fu = cu - iu;
        const fv = cv - iv;
        const p = iv * side + iu;
        const upper = occluded[p]! + (occluded[p + 1]! - occluded[p]!) * fu;
        const lower = occluded[p + side]! + (occluded[p + side + 1]! - occluded[p + side]!) * fu;
        allowance[i]! *= 1 - (upper + (lower - upper) * fv);
        u += mapU[0]!;
        v += mapV[0]!;
      }
    }
  }
}

function turn(points: Float32Array, a: number, b: number, c: number): number {
  const x = points[2 * a]!;
  const y = points[2 * a + 1]!;
  return (points[2 * b]! - x) * (points[2 * c + 1]! - y) - (points[2 * b + 1]! - y) * (points[2 * c]! - x);
}
