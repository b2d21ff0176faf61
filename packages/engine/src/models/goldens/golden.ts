/** The answer of an original runtime to `syntheticInput(height, width, low, high)`. */
export interface Golden {
  /** Name and version of the runtime. */
  readonly runtime: string;
  readonly height: number;
  readonly width: number;
  readonly low: number;
  readonly high: number;
  readonly outputs: Readonly<Record<string, GoldenOutput>>;
}

/** An output in TensorFlow's order. Long outputs are thinned out to keep the file small. */
export interface GoldenOutput {
  /** Number of values before thinning. */
  readonly count: number;
  readonly lowest: number;
  readonly highest: number;
  /** Every `step`-th value from the first. */
  readonly step: number;
  readonly values: readonly number[];
}

/**
 * Step at which long outputs are thinned out, a prime, so that the kept values come from different
 * columns.
 */
const THINNING_STEP = 31;

/** Largest length of an output that is kept whole. */
const MAX_WHOLE_COUNT = 600;

export function goldenOutput(values: Float32Array): GoldenOutput {
  const step = values.length > MAX_WHOLE_COUNT ? THINNING_STEP : 1;
  let lowest = Infinity;
  let highest = -Infinity;
  for (const value of values) {
    lowest = Math.min(lowest, value);
    highest = Math.max(highest, value);
  }
  const kept = values.filter((_, i) => i % step === 0);
  // Seven digits hold a float32.
  const rounded = Array.from(kept, (value) => Number(value.toPrecision(7)));
  return { count: values.length, lowest, highest, step, values: rounded };
}
