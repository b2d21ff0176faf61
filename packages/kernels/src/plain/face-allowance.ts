import { smoothstep } from '../smoothstep.ts';
import { planeOfTriangle } from '../triangle-plane.ts';
import { triangleSpans } from '../triangle-spans.ts';
import { boxBlur } from './box-blur.ts';

/**
 * Triangles over a picture: the positions of the vertices, and three vertex numbers for each
 * triangle. Coordinates are edge based.
 */
export interface PlacedTriangles {
  /** x, y of each vertex in the picture. */
  readonly points: Float32Array;
  /** u, v of each vertex in a square plane or texture. */
  readonly texelAt: Float32Array;
  readonly triangles: Uint16Array;
}

/**
 * Coverage by objects in front of the triangles, 0..1, as a plane of `side` squared in their
 * texels.
 */
export interface Occluders {
  readonly plane: Float32Array;
  readonly side: number;
  /** Triangles that such an object may cover, three vertex numbers each. */
  readonly triangles: Uint16Array;
}

/** Blurred coverage at which the fade at a face's edge begins. */
export const EDGE_FROM = 0.5;

/** Blurred coverage at which the fade at a face's edge is complete. */
export const EDGE_TO = 0.97;

/** Reference version of the kernel in ../face/face-allowance.ts. */
export function faceAllowance(
  { points, texelAt, triangles }: PlacedTriangles,
  width: number,
  height: number,
  radius: number,
  occluders: Occluders | null,
  out: Float32Array,
): void {
  out.fill(0);
  const spans = triangleSpans(points, triangles, width, height);
  for (let run = 0; run < spans.row.length; run++) {
    const start = spans.row[run]! * width;
    out.fill(1, start + spans.left[run]!, start + spans.right[run]!);
  }
  const depth = out.slice();
  boxBlur(depth, width, height, radius, 2);
  for (let i = 0; i < out.length; i++) if (out[i] === 1) out[i] = smoothstep(EDGE_FROM, EDGE_TO, depth[i]!);
  if (occluders !== null) hideBehind(points, texelAt, occluders, width, height, out);
}

function hideBehind(
  points: Float32Array,
  texelAt: Float32Array,
  { plane, side, triangles }: Occluders,
  width: number,
  height: number,
  out: Float32Array,
): void {
  const spans = triangleSpans(points, triangles, width, height);
  const mapU = new Float64Array(3);
  const mapV = new Float64Array(3);
  const most = side - 1 - 1 / 65_536;
  for (let t = 0; 3 * t < triangles.length; t++) {
    const a = triangles[3 * t]!;
    const b = triangles[3 * t + 1]!;
    const c = triangles[3 * t + 2]!;
    if (turn(points, a, b, c) * turn(texelAt, a, b, c) <= 0) continue;
    planeOfTriangle(points, a, b, c, texelAt, 2, 0, mapU, 0);
    planeOfTriangle(points, a, b, c, texelAt, 2, 1, mapV, 0);
    for (let run = spans.first[t]!, end = spans.first[t + 1]!; run < end; run++) {
      const row = spans.row[run]!;
      const left = spans.left[run]!;
      let u = mapU[0]! * (left + 0.5) + mapU[1]! * (row + 0.5) + mapU[2]! - 0.5;
      let v = mapV[0]! * (left + 0.5) + mapV[1]! * (row + 0.5) + mapV[2]! - 0.5;
      const start = row * width;
      for (let i = start + left, last = start + spans.right[run]!; i < last; i++) {
        const cu = u < 0 ? 0 : u > most ? most : u;
        const cv = v < 0 ? 0 : v > most ? most : v;
        const iu = cu | 0;
        const iv = cv | 0;
        const fu = cu - iu;
        const p = iv * side + iu;
        const upper = plane[p]! + (plane[p + 1]! - plane[p]!) * fu;
        const lower = plane[p + side]! + (plane[p + side + 1]! - plane[p + side]!) * fu;
        out[i]! *= 1 - (upper + (lower - upper) * (cv - iv));
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
