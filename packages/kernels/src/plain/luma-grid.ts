/** Rows of 8-bit samples: one channel of luma, or red, green and blue. */
export interface SampleRows {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** Distance from row to row, bytes. */
  readonly stride: number;
  readonly channels: 1 | 3;
}

/** How each sample of an axis is made from neighbouring samples of another one. */
export interface Axis {
  /** Number of samples that each is made from. */
  readonly taps: number;
  /** First of these samples for each sample. */
  readonly from: Int32Array;
  /** Weights, `taps` for each sample. */
  readonly weights: Float32Array;
}

/** Weights of red, green and blue in luma (ITU-R BT.601), of 256. */
const LUMA_WEIGHTS = [77, 150, 29] as const;

/** Writes rows of a grid: sums of the luma, weighted by both axes. */
export function reduceToGrid(
  { data, width, stride, channels }: SampleRows,
  rows: Axis,
  columns: Axis,
  grid: Float32Array,
): void {
  const side = columns.from.length;
  const [red, green, blue] = LUMA_WEIGHTS;
  // Columns may have taps beyond the last sample, with the weight 0.
  const line = new Float32Array(width + columns.taps);
  for (const [y, first] of rows.from.entries()) {
    line.fill(0);
    for (let tap = 0; tap < rows.taps; tap++) {
      const weight = rows.weights[y * rows.taps + tap]!;
      for (let x = 0, at = (first + tap) * stride; x < width; x++, at += channels)
        line[x]! +=
          weight *
          (channels === 1
            ? data[at]!
            : (red * data[at]! + green * data[at + 1]! + blue * data[at + 2]!) / 256);
    }
    for (const [x, start] of columns.from.entries()) {
      let sum = 0;
      for (let tap = 0; tap < columns.taps; tap++)
        sum += columns.weights[x * columns.taps + tap]! * line[start + tap]!;
      grid[y * side + x] = sum;
    }
  }
}

/**
 * Adds an enlarged grid to every channel of each sample, rounded to whole levels. Samples stay from
 * 0 to 255.
 */
export function addGrid(
  grid: Float32Array,
  side: number,
  rows: Axis,
  columns: Axis,
  { data, width, stride, channels }: SampleRows,
): void {
  for (const [y, first] of rows.from.entries()) {
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let down = 0; down < rows.taps; down++) {
        let across = 0;
        const start = (first + down) * side + columns.from[x]!;
        for (let tap = 0; tap < columns.taps; tap++)
          across += columns.weights[x * columns.taps + tap]! * grid[start + tap]!;
        sum += rows.weights[y * rows.taps + down]! * across;
      }
      const change = Math.round(sum);
      for (let at = y * stride + x * channels, end = at + channels; at < end; at++)
        data[at] = Math.max(0, Math.min(255, data[at]! + change));
    }
  }
}
