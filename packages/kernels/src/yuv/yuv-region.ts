import type { RgbToYuvMatrix, Yuv420, YuvRegion, YuvToRgbMatrix } from '../plain/yuv-region.ts';
import * as plain from '../plain/yuv-region.ts';
import { kernels } from '../wasm/kernels.ts';
import {
  copyIn,
  copyInRegion,
  copyOut,
  copyOutRegion,
  fitsStage,
  reserve,
  reserveFor,
  strideOf,
} from '../wasm/stage.ts';

export type { Yuv420, YuvRegion } from '../plain/yuv-region.ts';

/**
 * Converts a region to interleaved RGB, 8 bits, with exactly the bits of the reference version.
 * Chroma is interpolated linearly between its sites from the whole frame, so that a pixel's colour
 * is the same in every region.
 * @param out `region.width * region.height * 3` bytes, all written
 */
export function regionToRgb(frame: Yuv420, matrix: YuvToRgbMatrix, region: YuvRegion, out: Uint8Array): void {
  const { x, y, width, height } = region;
  const chromaWidth = (frame.width + 1) >> 1;
  const chromaHeight = (frame.height + 1) >> 1;
  const left = x >> 1;
  const columns = Math.min(chromaWidth - 1, ((x + width - 1) >> 1) + 1) - left + 1;
  const top = Math.max(0, (y >> 1) - 1);
  const rows = Math.min(chromaHeight - 1, ((y + height - 1) >> 1) + 1) - top + 1;
  const lineBytes = 10 * (columns + 16);
  if (!fitsStage(width * height * 4 + 2 * columns * rows + lineBytes)) {
    plain.regionToRgb(frame, matrix, region, out);
    return;
  }
  const rgb = reserveFor(out);
  kernels().yuvToRgb(
    ...copyInYuv(frame, region, { x: left, y: top, width: columns, height: rows }),
    top,
    chromaHeight,
    columns,
    x,
    y,
    width,
    height,
    matrix.blackLuma,
    matrix.luma,
    matrix.rCr,
    matrix.gCb,
    matrix.gCr,
    matrix.bCb,
    reserve(lineBytes),
    rgb,
  );
  copyOut(out, rgb);
}

/**
 * Adds the difference of two RGB versions of a region to the planes, in place, with exactly the
 * bits of the reference version. Where the versions are equal, the planes keep every bit of their
 * decoded values. Where the versions differ, colours outside the RGB gamut are not clipped either.
 * @param before result of `regionToRgb`
 * @param after the edited version, same size
 */
export function addRgbDifference(
  frame: Yuv420,
  matrix: RgbToYuvMatrix,
  region: YuvRegion,
  before: Uint8Array,
  after: Uint8Array,
): void {
  const { x, y, width, height } = region;
  const [luma, cb, cr] = frame.planes as [Uint8Array, Uint8Array, Uint8Array];
  const [lumaStride, cbStride, crStride] = frame.strides as [number, number, number];
  const left = x >> 1;
  const top = y >> 1;
  const columns = ((x + width - 1) >> 1) + 1 - left + 1;
  const used = Math.min(columns, ((frame.width + 1) >> 1) - left);
  const rows = ((y + height - 1) >> 1) - top + 1;
  const sumBytes = 8 * (columns + 8);
  if (!fitsStage(width * height * 7 + 2 * used * rows + sumBytes)) {
    plain.addRgbDifference(frame, matrix, region, before, after);
    return;
  }
  const addresses = copyInYuv(frame, region, { x: left, y: top, width: used, height: rows });
  kernels().addRgbDifference(
    ...addresses,
    columns,
    used,
    x,
    y,
    width,
    height,
    matrix.yR,
    matrix.yG,
    matrix.yB,
    matrix.cbR,
    matrix.cbG,
    matrix.cbB,
    matrix.crR,
    matrix.crG,
    matrix.crB,
    copyIn(before),
    copyIn(after),
    reserve(sumBytes),
  );
  const [lumaAt, , cbAt, , crAt] = addresses;
  copyOutRegion(luma, lumaStride, x, y, width, height, lumaAt);
  copyOutRegion(cb, cbStride, left, top, used, rows, cbAt);
  copyOutRegion(cr, crStride, left, top, used, rows, crAt);
}

type YuvAddresses = readonly [
  luma: number,
  lumaStride: number,
  cb: number,
  cbStride: number,
  cr: number,
  crStride: number,
];

/**
 * Copies parts of a frame's planes to the stage. Returns their addresses and the distances between
 * their rows there. `chroma` is in chroma samples.
 */
export function copyInYuv({ planes, strides }: Yuv420, luma: YuvRegion, chroma: YuvRegion): YuvAddresses {
  const [lumaAt, lumaStride] = lendPart(planes[0]!, strides[0]!, luma);
  const [cb, cbStride] = lendPart(planes[1]!, strides[1]!, chroma);
  const [cr, crStride] = lendPart(planes[2]!, strides[2]!, chroma);
  return [lumaAt, lumaStride, cb, cbStride, cr, crStride];
}

function lendPart(plane: Uint8Array, stride: number, { x, y, width, height }: YuvRegion): [number, number] {
  return [copyInRegion(plane, stride, x, y, width, height), strideOf(plane, stride, width)];
}
