/** The part of a plane in which lines are searched: a range of rows and a range of columns. */
export interface LineArea {
  /** Number of values in a row of the plane. */
  readonly width: number;
  /** First row. */
  readonly top: number;
  readonly rows: number;
  /** First column. */
  readonly from: number;
  /** Column after the last one. The number of columns is even. */
  readonly to: number;
}

/** A grid of cells over one side of an area, which begins at column `start`. */
export interface LineCells {
  /** First column of the first cell. */
  readonly start: number;
  /** Whether the cells, and the columns inside a cell, are counted from right to left. */
  readonly isLeftwards: boolean;
  /** Number of cells in a row of cells. */
  readonly columns: number;
  readonly width: number;
  readonly height: number;
  /**
   * Weight of each value in the sum of its cell, row by row. Columns are in the order in which the
   * cells count them.
   */
  readonly shares: Float32Array;
  /** Number of sums for each cell. */
  readonly channels: number;
}

/**
 * Writes how much brighter (above 0) or darker (below 0) each value is than the mean of the two
 * values at the distance `offset` on both sides of it. Where one of the three is NaN, it writes 0.
 * @returns the mean absolute difference where none is NaN; null if there is no such place
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
 * Adds the lines to the sums of their cells: dark lines to the cell's sum number `channel`, bright
 * lines to the next one. A line of strength s counts s / (s + `most`), so a line as strong as
 * `most` counts half.
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
