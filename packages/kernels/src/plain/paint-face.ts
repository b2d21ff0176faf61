import { clamp } from '../clamp.ts';
import type { FramePlanes } from '../frame-planes.ts';
import { grainAt } from '../grain.ts';
import { OPAQUE } from '../opaque.ts';
import { planeOfTriangle } from '../triangle-plane.ts';
import { triangleSpans } from '../triangle-spans.ts';
import type { PlacedTriangles } from './face-allowance.ts';

/**
 * Flags a triangle whose vertices do not move. Where the texture is transparent, the picture stays
 * as it is.
 */
export const STILL = 1;

/** Flags a triangle over which the texture is not drawn. */
export const UNPAINTED = 2;

/** Triangles to paint, far ones first. */
export interface PaintedTriangles extends PlacedTriangles {
  /**
   * Position (x, y) in the picture of each vertex before it moves. The picture shows moved through
   * transparent texture.
   */
  readonly sourceAt: Float32Array;
  /** Flags of each triangle: `STILL`, `UNPAINTED`. */
  readonly flags: Uint8Array;
}

export interface FaceTexels {
  readonly side: number;
  /**
   * Texels in 8-bit levels: `side * side` pairs of luma and opacity (0..1), then as many pairs of
   * blue and red difference. Luma and chroma are separate because luma is drawn at four times as
   * many places.
   */
  readonly texels: Float32Array;
  /** Standard deviation of the grain on luma, levels. */
  readonly grain: number;
  /**
   * Number of columns by which the grain is shifted. Pictures with the same shift have the same
   * grain.
   */
  readonly grainShift: number;
}

/** Distance in texels from which two neighbouring places lie on different sides of a fold. */
const FOLD = 8;

/** Places of a picture's samples, one value for each sample. */
interface Placed {
  /** Column in the texture, in texels; -1 if unpainted. */
  readonly u: Float32Array;
  /** Row in the texture, in texels; -1 if unpainted. */
  readonly v: Float32Array;
  /** Horizontal distance, in samples, to the own sample that is moved here. */
  readonly x: Float32Array;
  /** Vertical distance, in samples, to the own sample that is moved here. */
  readonly y: Float32Array;
}

/** Reference version of the kernel in ../face/paint-face.ts. */
export function paintFace(
  { width, height, chromaIsHalved, data, strides }: Omit<FramePlanes, 'x' | 'y' | 'colours'>,
  face: PaintedTriangles,
  texture: FaceTexels,
  allowance: Float32Array,
): void {
  const placed = placeFace(face, texture.side, width, height);
  const own = { placed, allowance, width, height };
  const chroma = chromaIsHalved ? halved(own) : own;
  paintPlane(data[0], strides[0], 0, own, texture);
  paintPlane(data[1], strides[1], 2 * texture.side ** 2, chroma, texture);
  paintPlane(data[2], strides[2], 2 * texture.side ** 2 + 1, chroma, texture);
}

function placeFace(
  { points, texelAt, sourceAt, triangles, flags }: PaintedTriangles,
  side: number,
  width: number,
  height: number,
): Placed {
  const count = width * height;
  const u = new Float32Array(count).fill(-1);
  const v = new Float32Array(count).fill(-1);
  const x = new Float32Array(count);
  const y = new Float32Array(count);
  const spans = triangleSpans(points, triangles, width, height);
  const mapU = new Float64Array(3);
  const mapV = new Float64Array(3);
  const mapX = new Float64Array(3);
  const mapY = new Float64Array(3);
  for (let t = 0; t < flags.length; t++) {
    const isPainted = (flags[t]! & UNPAINTED) === 0;
    const isStill = (flags[t]! & STILL) !== 0;
    if (isStill && !isPainted) continue;
    const a = triangles[3 * t]!;
    const b = triangles[3 * t + 1]!;
    const c = triangles[3 * t + 2]!;
    planeOfTriangle(points, a, b, c, texelAt, 2, 0, mapU, 0);
    planeOfTriangle(points, a, b, c, texelAt, 2, 1, mapV, 0);
    planeOfTriangle(points, a, b, c, sourceAt, 2, 0, mapX, 0);
    planeOfTriangle(points, a, b, c, sourceAt, 2, 1, mapY, 0);
    for (let run = spans.first[t]!, end = spans.first[t + 1]!; run < end; run++) {
      const row = spans.row[run]!;
      const py = row + 0.5;
      for (let column = spans.left[run]!; column < spans.right[run]!; column++) {
        const px = column + 0.5;
        const i = row * width + column;
        u[i] = isPainted ? clamp(mapU[0]! * px + mapU[1]! * py + mapU[2]! - 0.5, 0, side - 1) : -1;
        v[i] = isPainted ? clamp(mapV[0]! * px + mapV[1]! * py + mapV[2]! - 0.5, 0, side - 1) : -1;
        x[i] = mapX[0]! * px + mapX[1]! * py + mapX[2]! - px;
        y[i] = mapY[0]! * px + mapY[1]! * py + mapY[2]! - py;
      }
    }
  }
  return { u, v, x, y };
}

/**
 * A picture to paint: its size and, for each of its samples, the place in the texture and how much
 * the sample may change.
 */
interface Painted {
  readonly placed: Placed;
  readonly allowance: Float32Array;
  readonly width: number;
  readonly height: number;
}

/**
 * Reduces places and allowance to those of halved chroma: samples at every second column, each
 * between two rows.
 */
function halved({ placed: { u, v, x, y }, allowance, width, height }: Painted): Painted {
  const columns = (width + 1) >> 1;
  const rows = (height + 1) >> 1;
  const plane = (): Float32Array => new Float32Array(columns * rows);
  const half = { placed: { u: plane(), v: plane(), x: plane(), y: plane() }, allowance: plane() };
  for (let row = 0, to = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, to++) {
      const upper = 2 * row * width + 2 * column;
      const lower = 2 * row + 1 < height ? upper + width : upper;
      const isFold = Math.abs(u[upper]! - u[lower]!) > FOLD || Math.abs(v[upper]! - v[lower]!) > FOLD;
      const isOne = isFold || u[upper]! < 0 || u[lower]! < 0;
      const one = u[upper]! < 0 ? lower : upper;
      half.placed.u[to] = isOne ? u[one]! : (u[upper]! + u[lower]!) / 2;
      half.placed.v[to] = isOne ? v[one]! : (v[upper]! + v[lower]!) / 2;
      half.placed.x[to] = x[one]! / 2;
      half.placed.y[to] = y[one]! / 2;
      half.allowance[to] = 0.5 * (allowance[upper]! + allowance[lower]!);
    }
  }
  return { ...half, width: columns, height: rows };
}

function paintPlane(
  to: Uint8Array,
  stride: number,
  channel: number,
  { placed: { u, v, x, y }, allowance, width, height }: Painted,
  { side, texels, grain, grainShift }: FaceTexels,
): void {
  const before = new Uint8Array(width * height);
  for (let row = 0; row < height; row++)
    before.set(to.subarray(row * stride, row * stride + width), row * width);
  const lastTexel = side - 1;
  for (let row = 0, i = 0; row < height; row++) {
    for (let column = 0; column < width; column++, i++) {
      const allowed = allowance[i]!;
      if (allowed <= 0) continue;
      let opacity = 0;
      let colour = 0;
      if (u[i]! >= 0) {
        const iu = Math.floor(u[i]!);
        const iv = Math.floor(v[i]!);
        const p = (iv * side + iu) * 2;
        const q = iu < lastTexel ? p + 2 : p;
        const down = iv < lastTexel ? side * 2 : 0;
        opacity = bilinear(texels, p + 1, q + 1, down, u[i]! - iu, v[i]! - iv);
        colour = bilinear(texels, p + channel, q + channel, down, u[i]! - iu, v[i]! - iv);
        if (channel === 0 && grain > 0 && opacity > 0) colour += grain * grainAt(column + grainShift, row);
      }
      const own = before[i]!;
      let value = own;
      // Pixels under an opaque face are invisible, so they are not computed.
      if (opacity <= OPAQUE) {
        const cx = clamp(column + x[i]!, 0, width - 1);
        const cy = clamp(row + y[i]!, 0, height - 1);
        const ix = Math.floor(cx);
        const iy = Math.floor(cy);
        const j = iy * width + ix;
        const beside = ix < width - 1 ? j + 1 : j;
        value = bilinear(before, j, beside, iy < height - 1 ? width : 0, cx - ix, cy - iy);
      }
      value += opacity * (colour - value);
      value = own + allowed * (value - own) + 0.5;
      to[row * stride + column] = value < 0 ? 0 : value > 255 ? 255 : value;
    }
  }
}

function bilinear(
  plane: Float32Array | Uint8Array,
  left: number,
  right: number,
  down: number,
  fx: number,
  fy: number,
): number {
  const upper = plane[left]! + fx * (plane[right]! - plane[left]!);
  const lower = plane[left + down]! + fx * (plane[right + down]! - plane[left + down]!);
  return upper + fy * (lower - upper);
}
