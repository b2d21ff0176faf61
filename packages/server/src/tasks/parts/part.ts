import type { FailureCode } from '@guise/contract/errors.ts';

/**
 * Kind of a part's work: `item` is one output of a batch, the others are the steps of a film
 * (docs/decisions/0017). The worker does each in a file of its own (`worker/perform-part.ts`).
 */
export type PartStep = 'item' | FilmStep;

/** Steps of a film, in their order. */
export const FILM_STEPS = ['cut', 'study', 'choose', 'draw', 'join'] as const;
export type FilmStep = (typeof FILM_STEPS)[number];

/** Name of a part. */
export interface PartKey {
  readonly taskId: string;
  readonly step: PartStep;
  /** Place among the parts of its step, from 0. */
  readonly position: number;
}

/** Right of a worker to a part, which ends when the lease is taken away. */
export interface PartLease extends PartKey {
  readonly leaseToken: string;
}

/** What came of a part. */
export type PartOutcome =
  /** `result` is whatever the step says: JSON, never null. */
  | { readonly status: 'DONE'; readonly result: unknown }
  | { readonly status: 'FAILED'; readonly code: FailureCode; readonly message: string };

/** A part that is done or has failed. */
export type FinishedPart = PartOutcome & { readonly position: number };

/** SQL condition for the part of a lease, for statements that begin with its values. */
export const IS_LEASED_PART = `task_id = $1 and step = $2 and position = $3 and lease_token = $4`;

/** Returns the values for `IS_LEASED_PART`. */
export function leasedPartValues({ taskId, step, position, leaseToken }: PartLease): unknown[] {
  return [taskId, step, position, leaseToken];
}
