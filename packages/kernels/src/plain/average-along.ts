/**
 * Writes the mean of the values at these distances from each value, from value `from` up to but
 * without value `to`; the others are kept.
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
