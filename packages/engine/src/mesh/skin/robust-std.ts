/** Factor from the median distance of normally distributed values to their standard deviation. */
const MAD_TO_SIGMA = 1.4826;

/**
 * Estimates a standard deviation around 0 from a histogram of sizes, by their median, so that a few
 * outliers do not count.
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
