/**
 * Planes of a 4:2:0 frame with chroma sited left (MPEG-2, H.264's default): on every even column,
 * half way between two rows.
 */
export interface Yuv420 {
  readonly planes: readonly Uint8Array[];
  readonly strides: readonly number[];
  readonly width: number;
  readonly height: number;
}

/** A rectangle inside the frame. Its sides are at least 1 and may be odd. */
export interface YuvRegion {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Conversion of Y'CbCr to R'G'B' in fixed point, where 2^13 is 1: R = luma * (Y - blackLuma) + rCr
 * * (Cr - 128), and so on.
 */
export interface YuvToRgbMatrix {
  readonly blackLuma: number;
  readonly luma: number;
  readonly rCr: number;
  readonly gCb: number;
  readonly gCr: number;
  readonly bCb: number;
}

/**
 * Conversion of R'G'B' to Y'CbCr in fixed point, where 2^13 is 1: Y = yR * R + yG * G + yB * B, and
 * so on.
 */
export interface RgbToYuvMatrix {
  readonly yR: number;
  readonly yG: number;
  readonly yB: number;
  readonly cbR: number;
  readonly cbG: number;
  readonly cbB: number;
  readonly crR: number;
  readonly crG: number;
  readonly crB: number;
}

/**
 * Converts a region to interleaved RGB, 8 bits. Chroma is interpolated linearly between its sites
 * from the whole frame, so that a pixel's colour is the same in every region.
 * @param out `region.width * region.height * 3` bytes, all written
 */
export function regionToRgb(frame: Yuv420, matrix: YuvToRgbMatrix, region: YuvRegion, out: Uint8Array): void {
  const [luma, cb, cr] = frame.planes as [Uint8Array, Uint8Array, Uint8Array];
  const [lumaStride, cbStride, crStride] = frame.strides as [number, number, number];
  const chromaWidth = (frame.width + 1) >> 1;
  const chromaHeight = (frame.height + 1) >> 1;
  const firstColumn = region.x >> 1;
  const columns = Math.min(chromaWidth - 1, ((region.x + region.width - 1) >> 1) + 1) - firstColumn + 1;
  const cbRow = new Int32Array(columns + 1);
  const crRow = new Int32Array(columns + 1);
  const { blackLuma, luma: lumaGain, rCr, gCb, gCr, bCb } = matrix;
  let to = 0;
  for (let row = 0; row < region.height; row += 1) {
    const y = region.y + row;
    const near = y >> 1;
    const other = (y & 1) === 0 ? Math.max(0, near - 1) : Math.min(chromaHeight - 1, near + 1);
    const cbNear = near * cbStride + firstColumn;
    const cbOther = other * cbStride + firstColumn;
    const crNear = near * crStride + firstColumn;
    const crOther = other * crStride + firstColumn;
    // Values in quarters of a level, minus the neutral 128.
    for (let i = 0; i < columns; i += 1) {
      cbRow[i] = 3 * cb[cbNear + i]! + cb[cbOther + i]! - 512;
      crRow[i] = 3 * cr[crNear + i]! + cr[crOther + i]! - 512;
    }
    cbRow[columns] = cbRow[columns - 1]!;
    crRow[columns] = crRow[columns - 1]!;
    const lumaAt = y * lumaStride + region.x;
    for (let column = 0; column < region.width; column += 1) {
      const x = region.x + column;
      const i = (x >> 1) - firstColumn;
      // Values in eighths of a level.
      const u = (x & 1) === 0 ? 2 * cbRow[i]! : cbRow[i]! + cbRow[i + 1]!;
      const v = (x & 1) === 0 ? 2 * crRow[i]! : crRow[i]! + crRow[i + 1]!;
      const base = (luma[lumaAt + column]! - blackLuma) * lumaGain + 4096;
      const r = (base + ((rCr * v) >> 3)) >> 13;
      const g = (base + ((gCb * u + gCr * v) >> 3)) >> 13;
      const b = (base + ((bCb * u) >> 3)) >> 13;
      out[to] = r < 0 ? 0 : r > 255 ? 255 : r;
      out[to + 1] = g < 0 ? 0 : g > 255 ? 255 : g;
      out[to + 2] = b < 0 ? 0 : b > 255 ? 255 : b;
      to += 3;
    }
  }
}

/**
 * Adds the difference of two RGB versions of a region to the planes, in place. Where the versions
 * are equal, the planes keep every bit of their decoded values. Elsewhere, colours outside RGB's
 * gamut are also not clipped.
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
  const [luma, cb, cr] = frame.planes as [Uint8Array, Uint8Array, Uint8Array];
  const [lumaStride, cbStride, crStride] = frame.strides as [number, number, number];
  const chromaWidth = (frame.width + 1) >> 1;
  const firstColumn = region.x >> 1;
  const firstRow = region.y >> 1;
  const columns = ((region.x + region.width - 1) >> 1) + 1 - firstColumn + 1;
  const rows = ((region.y + region.height - 1) >> 1) - firstRow + 1;
  const cbSum = new Int32Array(columns * rows);
  const crSum = new Int32Array(columns * rows);
  const { yR, yG, yB, cbR, cbG, cbB, crR, crG, crB } = matrix;
  let from = 0;
  for (let row = 0; row < region.height; row += 1) {
    const y = region.y + row;
    const lumaAt = y * lumaStride + region.x;
    const sumAt = ((y >> 1) - firstRow) * columns;
    for (let column = 0; column < region.width; column += 1, from += 3) {
      const r = after[from]! - before[from]!;
      const g = after[from + 1]! - before[from + 1]!;
      const b = after[from + 2]! - before[from + 2]!;
      if ((r | g | b) === 0) continue;
      const level = luma[lumaAt + column]! + ((yR * r + yG * g + yB * b + 4096) >> 13);
      luma[lumaAt + column] = level < 0 ? 0 : level > 255 ? 255 : level;
      const u = cbR * r + cbG * g + cbB * b;
      const v = crR * r + crG * g + crB * b;
      const x = region.x + column;
      const i = sumAt + (x >> 1) - firstColumn;
      // Chroma is sited on even columns, with weights 1 2 1 across and 1 1 down, so an odd column
      // counts for both neighbours.
      if ((x & 1) === 0) {
        cbSum[i] = cbSum[i]! + 2 * u;
        crSum[i] = crSum[i]! + 2 * v;
      } else {
        cbSum[i] = cbSum[i]! + u;
        crSum[i] = crSum[i]! + v;
        cbSum[i + 1] = cbSum[i + 1]! + u;
        crSum[i + 1] = crSum[i + 1]! + v;
      }
    }
  }
  for (let row = 0; row < rows; row += 1) {
    const used = Math.min(columns, chromaWidth - firstColumn);
    const cbAt = (firstRow + row) * cbStride + firstColumn;
    const crAt = (firstRow + row) * crStride + firstColumn;
    for (let i = 0; i < used; i += 1) {
      const u = cbSum[row * columns + i]!;
      const v = crSum[row * columns + i]!;
      // The weights add up to 8, and the matrix is scaled by 2^13.
      if (u !== 0) cb[cbAt + i] = clampByte(cb[cbAt + i]! + ((u + 32_768) >> 16));
      if (v !== 0) cr[crAt + i] = clampByte(cr[crAt + i]! + ((v + 32_768) >> 16));
    }
  }
}

function clampByte(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : value;
}
