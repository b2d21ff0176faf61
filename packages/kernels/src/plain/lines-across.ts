/** A part of a plane in which lines are looked for: whole rows, and columns that count. */
export interface LineArea {
  /** Values to a row of the plane. */
  readonly width: number;
  /** First row. */
  readonly top: number;
  readonly rows: number;
  /** First column. */
  readonly from: number;
  /** Column behind the last one; their number is even. */
  readonly to: number;
}

/** Cells of one side of an area, side by side from column `start` on. */
export interface LineCells {
  /** First column of the first cell. */
  readonly start: number;
  /** Whether cells and their columns follow each other to the left. */
  readonly isLeftwards: boolean;
  /** Cells to a row of them. */
  readonly columns: number;
  readonly width: number;
  readonly height: number;
  /** Share of each value in its cell, row by row in the order of the cells' columns. */
  readonly shares: Float32Array;
  /** Numbers to a cell. */
  readonly channels: number;
}

/**
 * Writes how much brighter (above 0) or darker each value is than the mean of those at the
 * distance `offset` on both sides of it, and 0 where one of them is no number.
 * @returns the mean of what is seen, without the sign; null if nothing is
 */
export function linesAcross(
  plane: Float32Array,
  area: LineArea,
  offset: number,
  lines: Float32Array,
): number | null {
  const { width, top, rows, from, to } = area;
  let sum = 0;
  let count = 0;
  for (let y = top; y < top + rows; y++)
    for (let i = y * width + from, end = y * width + to; i < end; i++) {
      const line = plane[i]! - 0.5 * (plane[i - offset]! + plane[i + offset]!);
      const isSeen = line === line;
      lines[i] = isSeen ? line : 0;
      if (!isSeen) continue;
      sum += Math.abs(line);
      count += 1;
    }
  return count === 0 ? null : sum / count;
}

/**
 * Adds the lines to the sums of their cells: dark ones to the number `channel` of a cell, bright
 * ones to the next. A line counts half that is as strong as `most`.
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
  const step = isLeftwards ? -1 : 1;
  for (let y = 0; y < area.rows; y++) {
    const row = (area.top + y) * area.width + start;
    const first = Math.floor(y / height) * columns * channels + channel;
    for (let x = 0; x < width; x++)
      for (let column = 0; column < columns; column++) {
        const along = column * width + x;
        const line = lines[row + step * along]!;
        const strength = Math.abs(line);
        const isBright = line > 0 || Object.is(line, 0) ? 1 : 0;
        const share = shares[y * columns * width + along]!;
        sums[first + column * channels + isBright]! += (share * strength) / (strength + most);
      }
  }
}
