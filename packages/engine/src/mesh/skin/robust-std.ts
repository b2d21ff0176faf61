/**
 * What the median distance from the middle of normally distributed values is multiplied by to get
 * their standard deviation.
 */
const MAD_TO_SIGMA = 1.4826;

/**
 * Standard deviation of what strays around 0, of a histogram of `count` sizes, whatever few of them
 * are far out.
 * @param binsAStep bins of the histogram to one unit of the result; its last one holds all that is
 * larger
 */
export function robustStd(histogram: Uint32Array, binsAStep: number, count: number): number {
  const last = histogram.length - 1;
  let below = 0;
  let bin = 0;
  while (bin < last && below + histogram[bin]! < count / 2) below += histogram[bin++]!;
  return ((bin + 0.5) / binsAStep) * MAD_TO_SIGMA;
}
