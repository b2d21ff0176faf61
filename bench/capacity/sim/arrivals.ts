import { DEFAULT_PRICES } from '@guise/contract/prices.ts';
import type { Random } from './random.ts';
import type { Kind, Order } from './sim-task.ts';

/** A task that somebody creates. */
export interface Arrival {
  readonly atSeconds: number;
  /** Number of the account, from 0. */
  readonly account: number;
  readonly order: Order;
}

/** Tasks of some accounts that come at random moments, independent of one another. */
export interface Traffic {
  /** Tasks a second of all these accounts together. */
  readonly perSecond: number;
  /** Numbers of the accounts, all as busy. */
  readonly accounts: readonly number[];
  readonly order: Order;
}

/** Draws the arrivals of a Poisson process. */
export function poisson(random: Random, traffic: Traffic, seconds: number): Arrival[] {
  const { perSecond, accounts, order } = traffic;
  const arrivals: Arrival[] = [];
  for (let at = random.exponential(1 / perSecond); at < seconds; at += random.exponential(1 / perSecond))
    arrivals.push({ atSeconds: at, account: random.oneOf(accounts), order });
  return arrivals;
}

/** Makes tasks of one account that come all at once. */
export function burst(atSeconds: number, account: number, order: Order, count: number): Arrival[] {
  return Array.from({ length: count }, () => ({ atSeconds, account, order }));
}

/** Puts the arrivals of several kinds of traffic in one order. */
export function together(...traffics: readonly (readonly Arrival[])[]): Arrival[] {
  return traffics.flat().sort((a, b) => a.atSeconds - b.atSeconds);
}

/**
 * Returns an order at the service's own prices.
 * @param size items of a batch, seconds of a film
 */
export function orderOf(kind: Kind, size = 1): Order {
  const { photo, batchOutput, videoSecond } = DEFAULT_PRICES;
  const price = { photo, batch: batchOutput, film: videoSecond }[kind];
  return { kind, size, credits: price * size };
}
