/**
 * Factor from the median absolute deviation to the standard deviation of normally distributed
 * values.
 */
const MAD_TO_SIGMA = 1.4826;

/**
 * Estimates a standard deviation around 0 from a histogram of sizes. Uses their median, so that a
 * few outliers do not count.
 * @param binsAStep number of bins per unit of the result; the last bin also holds all larger values
 */
export function robustStd(histogram: Uint32Array, binsAStep: number, count: number): number {
  const last = histogram.length - 1;
  let below = 0;
  let bin = 0;
  while (bin < last && below + histogram[bin]! < count / 2) below += histogram[bin++]!;
  return ((bin + 0.5) / binsAStep) * MAD_TO_SIGMA;
}
