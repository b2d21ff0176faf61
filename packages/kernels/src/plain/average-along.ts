/**
 * Writes to `mean[k]`, for each index k from `from` to `to - 1`, the mean of `plane[k + offset]`
 * over all offsets.
 */
export function averageAlong(
  plane: Float32Array,
  offsets: Int32Array,
  from: number,
  to: number,
  mean: Float32Array,
): void {
  const share = 1 / offsets.length;
  for (let k = from; k < to; k++) {
    let sum = 0;
    for (let n = 0; n < offsets.length; n++) sum += plane[k + offsets[n]!]!;
    mean[k] = sum * share;
  }
}
