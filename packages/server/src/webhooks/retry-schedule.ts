/** Milliseconds of a second. */
const SECOND_MS = 1000;

/** Milliseconds of a minute. */
const MINUTE_MS = 60 * SECOND_MS;

/** Milliseconds of an hour. */
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Delays before the second and later attempts: 10 attempts in about 3 days
 * (docs/guide/webhooks#retries).
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

/**
 * Share by which a delay is randomly longer or shorter, so that an endpoint that recovers does not
 * get all events at once.
 */
const JITTER_SHARE = 0.2;

/**
 * Returns the delay before the next attempt.
 * @param failures number of failed attempts so far, at least 1.
 * @param random 0 to 1.
 * @returns null after the last attempt.
 */
export function retryDelayMs(failures: number, random: number): number | null {
  const delayMs = RETRY_DELAYS_MS[failures - 1];
  return delayMs === undefined ? null : Math.round(delayMs * (1 + JITTER_SHARE * (2 * random - 1)));
}
