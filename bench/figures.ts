/** Sorted once, read often: the figures of repeated measurements. */
export interface Distribution {
  readonly count: number;
  readonly min: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

/** @param values at least one, in any order */
export function distribution(values: readonly number[]): Distribution {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number =>
    round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!);
  return { count: sorted.length, min: at(0), p50: at(0.5), p95: at(0.95), max: at(1) };
}

/** Milliseconds of each of `rounds` runs after `warmups` runs that do not count. */
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

/** Three significant decimals are more than any figure here is worth. */
export function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
