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
  const [luma, cb, cr] = frame.planes as [Uint8Array, Uint8Array, Uint8Array];
  const [lumaStride, cbStride, crStride] = frame.strides as [number, number, number];
  const width = Math.floor(region.width / factor);
  const height = Math.floor(region.height / factor);
  const offsets = sampleOffsets(factor);
  const count = offsets.length;
  const { blackLuma, luma: lumaGain, rCr, gCb, gCr, bCb } = matrix;
  let to = 0;
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const x = region.x + column * factor;
      const y = region.y + row * factor;
      let sum = 0;
      for (let j = 0; j < count; j += 1) {
        const at = (y + offsets[j]!) * lumaStride + x;
        for (let i = 0; i < count; i += 1) sum += luma[at + offsets[i]!]!;
      }
      const far = factor - 1;
      const left = x >> 1;
      const right = (x + far) >> 1;
      const top = y >> 1;
      const bottom = (y + far) >> 1;
      const cbTop = top * cbStride;
      const cbBottom = bottom * cbStride;
      const crTop = top * crStride;
      const crBottom = bottom * crStride;
      const u = cb[cbTop + left]! + cb[cbTop + right]! + cb[cbBottom + left]! + cb[cbBottom + right]! - 512;
      const v = cr[crTop + left]! + cr[crTop + right]! + cr[crBottom + left]! + cr[crBottom + right]! - 512;
      const base = (sum / (count * count) - blackLuma) * lumaGain + 4096;
      out[to] = clampByte((base + ((rCr * v) >> 2)) >> 13);
      out[to + 1] = clampByte((base + ((gCb * u + gCr * v) >> 2)) >> 13);
      out[to + 2] = clampByte((base + ((bCb * u) >> 2)) >> 13);
      to += 3;
    }
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
