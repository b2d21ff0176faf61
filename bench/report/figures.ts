/** One measured number, with its goal. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** Unit: `ms`, `MiB`, `/s`, `x`; empty for a plain number. */
  readonly unit: string;
  readonly goal?: Goal;
}

export type Goal = { readonly atLeast: number } | { readonly atMost: number };

export function isMet({ value, goal }: Figure): boolean | null {
  if (goal === undefined) return null;
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}

/** Figures of repeated measurements. */
export interface Distribution {
  readonly p50: number;
  readonly p95: number;
}

/**
 * Summarises repeated measurements.
 * @param values at least one, in any order
 */
export function distribution(values: readonly number[]): Distribution {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number =>
    round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!);
  return { p50: at(0.5), p95: at(0.95) };
}

/** Measures the milliseconds of each of `rounds` runs, after `warmups` runs without measurement. */
export async function timeRounds(
  rounds: number,
  warmups: number,
  run: () => Promise<unknown>,
): Promise<Distribution> {
  for (let round = 0; round < warmups; round++) await run();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  return distribution(times);
}

/** Rounds to three decimals, because no figure here is more precise. */
export function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
