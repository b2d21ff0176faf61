import type { PlacedTriangles } from './face-allowance.ts';
import { kernels } from './kernels.ts';
import { OPAQUE } from './opaque.ts';
import * as plain from './plain/paint-face.ts';
import { fetchRegion, fitsStage, lend, lendRegion, room, strideOf } from './stage.ts';

/** A triangle none of whose vertices moves: where the texture lets the picture through, it stays as it is. */
export const STILL = 1;
/** A triangle over which the texture is not drawn. */
export const UNPAINTED = 2;

/** Triangles to paint, far ones first. */
export interface PaintedTriangles extends PlacedTriangles {
  /** x, y from where in the picture each vertex carries along what the texture lets through. */
  readonly sourceAt: Float32Array;
  /** Of each triangle: `STILL`, `UNPAINTED`. */
  readonly flags: Uint8Array;
}

export interface FaceTexels {
  readonly side: number;
  /**
   * `side * side` pairs of luma and opacity (0..1), then as many of blue and red difference, in 8-bit levels: luma is drawn at four
   * times as many places, and what is read for it lies close together.
   */
  readonly texels: Float32Array;
  /** Standard deviation of the grain on luma, levels. */
  readonly grain: number;
  /** How far the grain is moved sideways: pictures with the same have the same grain. */
  readonly grainShift: number;
}

/** 8-bit samples, rows `stride` bytes apart, from the picture's first one on. */
export interface PaintedPlane {
  readonly data: Uint8Array;
  readonly stride: number;
}

/**
 * Paints a texture over the triangles of a picture of one plane (luma) or two (both chroma planes), in place; coordinates are
 * those of the planes' samples, edge based. A sample becomes `own + allowance * (new - own)`.
 * @param planes equal in size, `width` x `height` @param allowance 0..1 for each sample; where it is 0 nothing is written
 */
export function paintFace(
  planes: readonly [PaintedPlane] | readonly [PaintedPlane, PaintedPlane],
  width: number,
  height: number,
  face: PaintedTriangles,
  texture: FaceTexels,
  allowance: Float32Array,
): void {
  const { points, texelAt, sourceAt, triangles, flags } = face;
  const { side, texels, grain, grainShift } = texture;
  const small = 3 * points.byteLength + triangles.byteLength + flags.byteLength;
  if (!fitsStage(allowance.byteLength + texels.byteLength + 4 * width * height + small)) {
    plain.paintFace(planes, width, height, face, texture, allowance);
    return;
  }
  const lent = planes.map(({ data, stride }) => ({
    to: lendRegion(data, stride, 0, 0, width, height),
    stride: strideOf(data, stride, width),
    before: room(width * height),
  }));
  const [first, second = { to: 0, stride: 0, before: 0 }] = lent;
  kernels().paintFace(
    lend(points),
    lend(texelAt),
    lend(sourceAt),
    lend(triangles),
    lend(flags),
    flags.length,
    width,
    height,
    lend(allowance),
    lend(texels),
    side,
    OPAQUE,
    grain,
    grainShift,
    first!.to,
    first!.stride,
    first!.before,
    second.to,
    second.stride,
    second.before,
  );
  for (const [k, { data, stride }] of planes.entries())
    fetchRegion(data, stride, 0, 0, width, height, lent[k]!.to);
}
