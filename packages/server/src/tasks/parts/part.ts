import type { FailureCode } from '@guise/contract/errors.ts';

/**
 * Kind of a part's work. `item` is one output of a batch, the others are the steps of a film
 * (docs/decisions/0017). See `worker/perform-part.ts`.
 */
export type PartStep = 'item' | FilmStep;

/** Steps of a film, in order. */
export const FILM_STEPS = ['cut', 'study', 'choose', 'draw', 'join'] as const;
export type FilmStep = (typeof FILM_STEPS)[number];

/** Identity of a part. */
export interface PartKey {
  readonly taskId: string;
  readonly step: PartStep;
  /** Index among the parts of its step, from 0. */
  readonly position: number;
}

/** A worker's right to work on a part. It ends when the lease is taken away. */
export interface PartLease extends PartKey {
  readonly leaseToken: string;
}

/** Outcome of a part. */
export type PartOutcome =
  /** `result` is JSON, never null; its form depends on the step. */
  | { readonly status: 'DONE'; readonly result: unknown }
  | { readonly status: 'FAILED'; readonly code: FailureCode; readonly message: string };

/** A part that is done or has failed. */
export type FinishedPart = PartOutcome & { readonly position: number };

/** SQL condition for the part of a lease. Its values must be the first of the statement. */
export const IS_LEASED_PART = `task_id = $1 and step = $2 and position = $3 and lease_token = $4`;

/** Returns the values for `IS_LEASED_PART`. */
export function leasedPartValues({ taskId, step, position, leaseToken }: PartLease): unknown[] {
  return [taskId, step, position, leaseToken];
}
