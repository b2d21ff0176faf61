import {
  addToCells as plainAddToCells,
  linesAcross as plainLinesAcross,
  type LineArea,
  type LineCells,
} from '../plain/lines-across.ts';
import { kernels } from '../wasm/kernels.ts';
import { copyIn, copyOut, fitsStage, reserve } from '../wasm/stage.ts';

export type { LineArea, LineCells } from '../plain/lines-across.ts';

const totals = new Float64Array(2);

/**
 * Writes how much brighter (above 0) or darker (below 0) each value is than the mean of the two
 * values at the distance `offset` on both sides of it. Where one of the three is NaN, it writes 0.
 * @param lines of the plane's size; values outside the area are kept
 * @returns the mean absolute difference where none is NaN; null if there is no such place
 */
export function linesAcross(
  plane: Float32Array,
  area: LineArea,
  offset: number,
  lines: Float32Array,
): number | null {
  const { width, top, rows, from, to } = area;
  if (!fitsStage(plane.byteLength + lines.byteLength + totals.byteLength))
    return plainLinesAcross(plane, area, offset, lines);
  const at = copyIn(lines);
  const sums = reserve(totals.byteLength);
  const skipped = 4 * top * width;
  kernels().linesAcross(copyIn(plane) + skipped, at + skipped, sums, width, rows, from, to, offset);
  copyOut(lines, at);
  copyOut(totals, sums);
  return totals[1] === 0 ? null : totals[0]! / totals[1]!;
}

/**
 * Adds the lines to the sums of their cells: dark lines to the cell's sum number `channel`, bright
 * lines to the next one. A line as strong as `most` counts half.
 */
export function addToCells(
  lines: Float32Array,
  area: LineArea,
  cells: LineCells,
  most: number,
  channel: number,
  sums: Float32Array,
): void {
  const { start, isLeftwards, columns, width, height, shares, channels } = cells;
  if (!fitsStage(lines.byteLength + shares.byteLength + sums.byteLength)) {
    plainAddToCells(lines, area, cells, most, channel, sums);
    return;
  }
  const at = copyIn(sums);
  kernels().addToCells(
    copyIn(lines) + 4 * (area.top * area.width + start),
    4 * area.width,
    isLeftwards ? -4 : 4,
    copyIn(shares),
    at + 4 * channel,
    area.rows,
    height,
    columns,
    width,
    channels,
    most,
  );
  copyOut(sums, at);
}
