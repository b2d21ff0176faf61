import type { Yuv420, YuvRegion } from '@guise/kernels/yuv-region.ts';
import { regionToRgb } from '@guise/kernels/yuv-region.ts';
import type { ColourMatrix } from './colour.ts';

/**
 * A region, or the whole frame, as RGB reduced by a whole factor: each output pixel is the mean of a factor x factor block (at most
 * 4 x 4 evenly spread luma samples and 2 x 2 chroma samples of it, which is plenty to find a face in).
 * @param out `floor(region.width / factor) * floor(region.height / factor) * 3` bytes
 */
export function reducedToRgb(
  frame: Yuv420,
  matrix: ColourMatrix,
  factor: number,
  out: Uint8Array,
  region: YuvRegion = { x: 0, y: 0, width: frame.width, height: frame.height },
): void {
  if (factor === 1) {
    regionToRgb(frame, matrix, region, out);
    return;
  }
  const width = Math.floor(region.width / factor);
  const height = Math.floor(region.height / factor);
  const offsets = sampleOffsets(factor);
  const stride = frame.strides[0]!;
  // Of a block's luma samples from its first one.
  const samples = new Int32Array(offsets.length ** 2);
  for (let k = 0; k < samples.length; k += 1)
    samples[k] = offsets[Math.floor(k / offsets.length)]! * stride + offsets[k % offsets.length]!;
  for (let row = 0; row < height; row += 1)
    reduceRow(frame, matrix, factor, samples, region.x, region.y + row * factor, width, out, row * width * 3);
}

/** One row of it. A function of its own, for V8 compiles what is called often, not what loops within a loop. */
function reduceRow(
  frame: Yuv420,
  matrix: ColourMatrix,
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
  const perSample = luma / samples.length;
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
    const grey = base + sum * perSample;
    out[to] = clampByte((grey + ((rCr * v) >> 2)) >> 13);
    out[to + 1] = clampByte((grey + ((gCb * u + gCr * v) >> 2)) >> 13);
    out[to + 2] = clampByte((grey + ((bCb * u) >> 2)) >> 13);
  }
}

/** Up to four places spread over `factor`, the same for rows and columns. */
export function sampleOffsets(factor: number): Int32Array {
  const count = Math.min(4, factor);
  return Int32Array.from({ length: count }, (_, i) => Math.floor(((i + 0.5) * factor) / count));
}

function clampByte(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : value;
}
