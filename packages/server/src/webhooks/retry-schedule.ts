/** A second. */
const SECOND_MS = 1000;

/** A minute. */
const MINUTE_MS = 60 * SECOND_MS;

/** An hour. */
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Delays before the second attempt, the third and so on: 10 in about 3 days (docs/decisions/0010).
 */
const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  19 * HOUR_MS,
  34 * HOUR_MS,
];

/** Of each delay, either way: endpoints that come back are not met by everything at once. */
const JITTER = 0.2;

/**
 * @param failures attempts that failed so far, at least 1.
 * @param random 0..1.
 * @returns null: that was the last attempt.
 */
export function retryDelayMs(failures: number, random: number): number | null {
  const delayMs = RETRY_DELAYS_MS[failures - 1];
  return delayMs === undefined ? null : Math.round(delayMs * (1 + JITTER * (2 * random - 1)));
}
