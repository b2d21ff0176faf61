import type { Yuv420, YuvRegion, YuvToRgbMatrix } from './yuv-region.ts';

/** Largest number of samples of a block in a row, and in a column. */
export const MAX_TAPS = 4;

/** Returns up to four offsets spread over `factor`, which serve for rows and columns. */
export function sampleOffsets(factor: number): Int32Array {
  const count = Math.min(MAX_TAPS, factor);
  return Int32Array.from({ length: count }, (_, i) => Math.floor(((i + 0.5) * factor) / count));
}

/** Reference version of the kernel in ../yuv/reduce-region.ts. */
export function reduceRegion(
  frame: Yuv420,
  matrix: YuvToRgbMatrix,
  factor: number,
  region: YuvRegion,
  out: Uint8Array,
): void {
  const width = Math.floor(region.width / factor);
  const height = Math.floor(region.height / factor);
  const offsets = sampleOffsets(factor);
  const stride = frame.strides[0]!;
  // Offsets of a block's luma samples from its first one.
  const samples = new Int32Array(offsets.length ** 2);
  for (let k = 0; k < samples.length; k += 1)
    samples[k] = offsets[Math.floor(k / offsets.length)]! * stride + offsets[k % offsets.length]!;
  for (let row = 0; row < height; row += 1)
    reduceRow(frame, matrix, factor, samples, region.x, region.y + row * factor, width, out, row * width * 3);
}

/**
 * Reduces one row, in a separate function because V8 compiles functions that are called often, but
 * not inner loops.
 */
function reduceRow(
  frame: Yuv420,
  matrix: YuvToRgbMatrix,
  factor: number,
  samples: Int32Array,
  left: number,
  y: number,
  count: number,
  out: Uint8Array,
  to: number,
): void {
  const [lumas, cb, cr] = frame.planes as [Uint8Array, Uint8Array, Uint8Array];
  const [lumaStride, cbStride, crStride] = frame.strides as [number, number, number];
  const { blackLuma, luma, rCr, gCb, gCr, bCb } = matrix;
  const base = 4096 - blackLuma * luma;
  const far = factor - 1;
  const cbTop = (y >> 1) * cbStride;
  const cbBottom = ((y + far) >> 1) * cbStride;
  const crTop = (y >> 1) * crStride;
  const crBottom = ((y + far) >> 1) * crStride;
  const end = left + count * factor;
  for (let x = left; x < end; x += factor, to += 3) {
    const at = y * lumaStride + x;
    let sum = 0;
    for (let k = 0; k < samples.length; k += 1) sum += lumas[at + samples[k]!]!;
    const near = x >> 1;
    const next = (x + far) >> 1;
    const u = cb[cbTop + near]! + cb[cbTop + next]! + cb[cbBottom + near]! + cb[cbBottom + next]! - 512;
    const v = cr[crTop + near]! + cr[crTop + next]! + cr[crBottom + near]! + cr[crBottom + next]! - 512;
    const grey = base + Math.floor((sum * luma) / samples.length);
    out[to] = clampByte((grey + ((rCr * v) >> 2)) >> 13);
    out[to + 1] = clampByte((grey + ((gCb * u + gCr * v) >> 2)) >> 13);
    out[to + 2] = clampByte((grey + ((bCb * u) >> 2)) >> 13);
  }
}

/** Reference version of the kernel in ../yuv/reduce-region.ts. */
export function reduceLuma(
  luma: Uint8Array,
  stride: number,
  { x, y, width, height }: YuvRegion,
  factor: number,
  out: Float32Array,
): void {
  const columns = Math.floor(width / factor);
  const rows = Math.floor(height / factor);
  for (let row = 0; row < rows; row++)
    meansOfRow(luma, (y + row * factor) * stride + x, stride, factor, out, row * columns, columns);
}

function meansOfRow(
  from: Uint8Array,
  start: number,
  stride: number,
  factor: number,
  out: Float32Array,
  to: number,
  count: number,
): void {
  for (let k = 0, at = start; k < count; k++, at += factor) {
    let sum = 0;
    for (let row = 0; row < factor; row++)
      for (let column = 0; column < factor; column++) sum += from[at + row * stride + column]!;
    out[to + k] = sum / (factor * factor);
  }
}

function clampByte(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : value;
}
