import {
  addGrid as plainAddGrid,
  type Axis,
  reduceToGrid as plainReduceToGrid,
  type SampleRows,
} from '../plain/luma-grid.ts';
import { kernels } from '../wasm/kernels.ts';
import { copyIn, copyInRegion, copyOut, copyOutRegion, fitsStage, reserve, strideOf } from '../wasm/stage.ts';
import { areaAxis, cubicAxis, inBytes, inShorts, overChannels, partOfAxis } from './axis.ts';

export type { SampleRows } from '../plain/luma-grid.ts';

/** Size of the strips of rows on the stage. Strips of this size stay in the cache for any image. */
const STRIP_BYTES = 1 << 18;
/** Shares of red, green and blue in luma (ITU-R BT.601). */
const LUMA = [0.299, 0.587, 0.114];

/**
 * Reduces the luma of a picture to a square grid, whatever the picture's aspect is. Each value is
 * the mean of the area that it covers, 0 to 255.
 */
export function lumaGrid(samples: SampleRows, side: number): Float32Array {
  return lumaAlong(samples, areaAxis(samples.width, side), areaAxis(samples.height, side));
}

/** Reduces the luma of a picture along both axes, as these say. @returns values row by row */
export function lumaAlong(samples: SampleRows, across: Axis, down: Axis): Float32Array {
  const { data, width, height, stride, channels } = samples;
  const columns = overChannels(across, channels === 1 ? [1] : LUMA);
  const rows = inBytes(down);
  const columnCount = columns.from.length;
  const rowCount = rows.from.length;
  const values = new Float32Array(columnCount * rowCount);
  const rowBytes = width * channels;
  const strip = Math.max(1, Math.floor((STRIP_BYTES / rowBytes / height) * rowCount));
  for (let y = 0; y < rowCount; y += strip) {
    const end = Math.min(rowCount, y + strip);
    const first = rows.from[y]!;
    const used = rows.from[end - 1]! + rows.taps - first;
    const part = partOfAxis(rows, y, end, first);
    const out = values.subarray(y * columnCount, end * columnCount);
    const lineBytes = 2 * (rowBytes + columns.taps + 32);
    if (!fitsStage(used * rowBytes + bytesOf(part) + bytesOf(columns) + out.byteLength + lineBytes)) {
      plainReduceToGrid(data.subarray(first * stride), stride, part, columns, out);
      continue;
    }
    const at = reserve(out.byteLength);
    kernels().reduceToGrid(
      copyInRegion(data, stride, 0, first, rowBytes, used),
      strideOf(data, stride, rowBytes),
      rowBytes,
      copyIn(part.from),
      copyIn(part.weights),
      part.taps,
      part.from.length,
      copyIn(columns.from),
      copyIn(columns.weights),
      columns.taps,
      columnCount,
      2 / (rows.total * columns.total),
      reserve(lineBytes),
      at,
    );
    copyOut(out, at);
  }
  return values;
}

/**
 * Enlarges a square grid to the size of a picture (Catmull and Rom, 1974), and adds it to every
 * channel of each sample in place, rounded to whole levels.
 * @param grid at most 16 levels up or down
 * @param side of the grid, at least 4
 */
export function addGrid(grid: Float32Array, side: number, samples: SampleRows): void {
  const { data, width, height, stride, channels } = samples;
  const rows = inShorts(cubicAxis(height, side));
  const columns = inShorts(cubicAxis(width, side));
  const rowBytes = width * channels;
  const strip = Math.max(1, Math.floor(STRIP_BYTES / rowBytes));
  for (let y = 0; y < height; y += strip) {
    const end = Math.min(height, y + strip);
    const first = rows.from[y]!;
    const used = rows.from[end - 1]! + rows.taps - first;
    const part = partOfAxis(rows, y, end, first);
    const from = grid.subarray(first * side, (first + used) * side);
    const linesBytes = 2 * (used + 7) * columns.from.length;
    if (!fitsStage((end - y) * rowBytes + from.byteLength + bytesOf(part) + bytesOf(columns) + linesBytes)) {
      const below = { ...samples, data: data.subarray(y * stride), height: end - y };
      plainAddGrid(from, side, part, columns, below);
      continue;
    }
    const at = copyInRegion(data, stride, 0, y, rowBytes, end - y);
    kernels().addGrid(
      copyIn(from),
      side,
      used,
      copyIn(part.from),
      copyIn(part.weights),
      end - y,
      copyIn(columns.from),
      copyIn(columns.weights),
      reserve(16 * side),
      reserve(linesBytes),
      at,
      strideOf(data, stride, rowBytes),
      channels,
      width,
    );
    copyOutRegion(data, stride, 0, y, rowBytes, end - y, at);
  }
}

function bytesOf({ from, weights }: Axis<Uint8Array | Int16Array>): number {
  return from.byteLength + weights.byteLength;
}
