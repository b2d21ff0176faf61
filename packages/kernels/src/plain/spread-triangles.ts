import type { RgbImage } from '../image.ts';
import type { TriangleSpans } from '../triangle-spans.ts';

/** An image, and a rectangle of whole pixels inside it. */
export interface ImagePart {
  readonly image: RgbImage;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The places in images that the triangles of a list sample. */
export interface TriangleMaps {
  /**
   * Parts of images, at most 256. Everything that a triangle samples, including the neighbours that
   * are mixed in, lies in its part or outside the image.
   */
  readonly parts: readonly ImagePart[];
  /** Index of the part that each triangle samples. */
  readonly partOf: Uint8Array;
  /**
   * Nine numbers per triangle: x and y in the image's pixels and a value, each as `m[0] u + m[1] v
   * + m[2]` at the place (u, v) of the plane. Coordinates are edge based.
   */
  readonly maps: Float64Array;
}

/**
 * Planes of `side` squared: luma 0..255 (Rec. 601), blue = 0.564 (B - Y), red = 0.713 (R - Y), and
 * the triangles' own value.
 */
export interface SpreadPlanes {
  readonly side: number;
  readonly luma: Float32Array;
  readonly blue: Float32Array;
  readonly red: Float32Array;
  readonly value: Float32Array;
}

/** Reference version of the kernel in ../face/spread-triangles.ts. */
export function spreadTriangles(
  spans: TriangleSpans,
  { parts, partOf, maps }: TriangleMaps,
  { side, luma, blue, red, value }: SpreadPlanes,
): void {
  for (let t = 0; t < partOf.length; t++) {
    const { image } = parts[partOf[t]!]!;
    const from = image.data;
    const lastX = image.width - 1;
    const lastY = image.height - 1;
    const stride = image.width * 3;
    const m = maps.subarray(9 * t, 9 * t + 9);
    for (let run = spans.first[t]!, end = spans.first[t + 1]!; run < end; run++) {
      const row = spans.row[run]!;
      const left = spans.left[run]!;
      const u = left + 0.5;
      const v = row + 0.5;
      let x = m[0]! * u + m[1]! * v + m[2]! - 0.5;
      let y = m[3]! * u + m[4]! * v + m[5]! - 0.5;
      let own = m[6]! * u + m[7]! * v + m[8]!;
      for (let i = row * side + left, last = row * side + spans.right[run]!; i < last; i++) {
        const cx = x < 0 ? 0 : x > lastX ? lastX : x;
        const cy = y < 0 ? 0 : y > lastY ? lastY : y;
        const ix = cx | 0;
        const iy = cy | 0;
        const fx = cx - ix;
        const fy = cy - iy;
        const p = iy * stride + ix * 3;
        const q = ix < lastX ? p + 3 : p;
        const down = iy < lastY ? stride : 0;
        const w00 = (1 - fx) * (1 - fy);
        const w10 = fx * (1 - fy);
        const w01 = (1 - fx) * fy;
        const w11 = fx * fy;
        const r = from[p]! * w00 + from[q]! * w10 + from[p + down]! * w01 + from[q + down]! * w11;
        const g =
          from[p + 1]! * w00 + from[q + 1]! * w10 + from[p + 1 + down]! * w01 + from[q + 1 + down]! * w11;
        const b =
          from[p + 2]! * w00 + from[q + 2]! * w10 + from[p + 2 + down]! * w01 + from[q + 2 + down]! * w11;
        const l = 0.299 * r + 0.587 * g + 0.114 * b;
        luma[i] = l;
        blue[i] = 0.564 * (b - l);
        red[i] = 0.713 * (r - l);
        value[i] = own > 0 && cx === x && cy === y ? own : 0;
        x += m[0]!;
        y += m[3]!;
        own += m[6]!;
      }
    }
  }
}
