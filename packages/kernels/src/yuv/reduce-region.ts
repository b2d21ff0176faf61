import * as plain from '../plain/reduce-region.ts';
import type { Yuv420, YuvRegion, YuvToRgbMatrix } from '../plain/yuv-region.ts';
import { kernels } from '../wasm/kernels.ts';
import { copyInRegion, copyOut, fitsStage, reserve, reserveFor, strideOf } from '../wasm/stage.ts';
import { copyInYuv } from './yuv-region.ts';

export { sampleOffsets } from '../plain/reduce-region.ts';

/**
 * Number of rows of the result that are made at a time, so that the stage holds only a strip of a
 * frame.
 */
const STRIP = 32;

/**
 * Converts a region to interleaved RGB, 8 bits, reduced by a whole factor of at least 2. Each pixel
 * is the mean of at most 4 x 4 luma samples and 2 x 2 chroma samples, evenly spread over a factor x
 * factor block, which is enough to find a face.
 * @param out `floor(region.width / factor) * floor(region.height / factor) * 3` bytes, all written
 */
export function reduceRegion(
  frame: Yuv420,
  matrix: YuvToRgbMatrix,
  factor: number,
  { x, y, width, height }: YuvRegion,
  out: Uint8Array,
): void {
  const rowBytes = 3 * Math.floor(width / factor);
  const rows = Math.floor(height / factor);
  for (let row = 0; row < rows; row += STRIP) {
    const count = Math.min(STRIP, rows - row);
    const strip = { x, y: y + row * factor, width, height: count * factor };
    reduceStrip(frame, matrix, factor, strip, out.subarray(row * rowBytes, (row + count) * rowBytes));
  }
}

function reduceStrip(
  frame: Yuv420,
  matrix: YuvToRgbMatrix,
  factor: number,
  region: YuvRegion,
  out: Uint8Array,
): void {
  const { x, y, width, height } = region;
  const count = Math.floor(width / factor);
  const columns = ((x + width - 1) >> 1) - (x >> 1) + 1;
  const rows = ((y + height - 1) >> 1) - (y >> 1) + 1;
  const lineBytes = 2 * (count * (factor + 4) + 96);
  if (!fitsStage(width * height + 2 * columns * rows + lineBytes + out.length)) {
    plain.reduceRegion(frame, matrix, factor, region, out);
    return;
  }
  const rgb = reserveFor(out);
  kernels().reduceYuv(
    ...copyInYuv(frame, region, { x: x >> 1, y: y >> 1, width: columns, height: rows }),
    x,
    y,
    factor,
    Math.min(plain.MAX_TAPS, factor),
    count,
    height / factor,
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
 * Computes the means of blocks of `factor` squared samples (factor up to 256), row by row from the
 * corner of a region.
 * @param luma rows `stride` bytes apart
 * @param out `floor(region.width / factor) * floor(region.height / factor)` values, all written
 */
export function reduceLuma(
  luma: Uint8Array,
  stride: number,
  region: YuvRegion,
  factor: number,
  out: Float32Array,
): void {
  const width = Math.floor(region.width / factor);
  const height = Math.floor(region.height / factor);
  const rowBytes = width * factor;
  const lineBytes = 2 * (width * (factor + 2) + 64);
  if (!fitsStage(rowBytes * height * factor + out.byteLength + lineBytes)) {
    plain.reduceLuma(luma, stride, region, factor, out);
    return;
  }
  const means = reserveFor(out);
  kernels().reduceLuma(
    copyInRegion(luma, stride, region.x, region.y, rowBytes, height * factor),
    strideOf(luma, stride, rowBytes),
    factor,
    width,
    height,
    reserve(lineBytes),
    means,
  );
  copyOut(out, means);
}
