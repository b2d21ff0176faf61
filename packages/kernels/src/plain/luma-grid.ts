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
export interface Axis<Weights extends Float32Array | Uint8Array | Int16Array = Float32Array> {
  /** Number of samples that each is made from. */
  readonly taps: number;
  /** First of these samples for each sample. */
  readonly from: Int32Array;
  /** Weights, `taps` for each sample. */
  readonly weights: Weights;
  /** Sum of the weights of each sample. */
  readonly total: number;
}

/**
 * Writes rows of a grid: sums of bytes, weighted by both axes, 0 to 255. The sums of rows have 15
 * bits, so that a kernel can multiply eight at once.
 * @param columns counted in bytes: each pixel has one for each of its channels
 */
export function reduceToGrid(
  data: Uint8Array,
  stride: number,
  rows: Axis<Uint8Array>,
  columns: Axis<Int16Array>,
  grid: Float32Array,
): void {
  const side = columns.from.length;
  const level = Math.fround(2 / (rows.total * columns.total));
  for (const [y, first] of rows.from.entries()) {
    for (const [x, start] of columns.from.entries()) {
      let sum = 0;
      for (let across = 0; across < columns.taps; across++) {
        const weight = columns.weights[x * columns.taps + across]!;
        // Columns may have taps beyond the last byte, with the weight 0.
        if (weight === 0) continue;
        let column = 0;
        for (let down = 0, at = first * stride + start + across; down < rows.taps; down++, at += stride)
          column += rows.weights[y * rows.taps + down]! * data[at]!;
        sum += weight * (column >> 1);
      }
      grid[y * side + x] = sum * level;
    }
  }
}

/**
 * Adds an enlarged grid, of at most 16 levels up or down, to every channel of each sample, rounded
 * to whole levels. Samples stay from 0 to 255.
 */
export function addGrid(
  grid: Float32Array,
  side: number,
  rows: Axis<Int16Array>,
  columns: Axis<Int16Array>,
  { data, width, stride, channels }: SampleRows,
): void {
  const total = rows.total * columns.total;
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
      const change = Math.round(sum / total);
      for (let at = y * stride + x * channels, end = at + channels; at < end; at++)
        data[at] = Math.max(0, Math.min(255, data[at]! + change));
    }
  }
}
