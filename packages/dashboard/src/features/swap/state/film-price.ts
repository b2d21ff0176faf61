import type { Prices } from '@guise/contract/prices.ts';

/** Returns the credits for some seconds of a video or GIF in which some people are swapped. */
export function filmPrice(prices: Prices, asGif: boolean, seconds: number, people: number): number {
  const [second, minimum] = asGif
    ? [prices.gifSecond, prices.gifMinimum]
    : [prices.videoSecond, prices.videoMinimum];
  // Rounded to microseconds, as the service does: 9.3 - 2.3 must not count as 8 started seconds.
  const started = Math.ceil(Math.round(seconds * 1e6) / 1e6);
  return Math.max(minimum, second * started) * Math.max(1, people);
}
