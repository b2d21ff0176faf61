import type { Plan } from '@guise/contract/plans.ts';
import type { FilmStep } from '@guise/server/tasks/parts/part.ts';
import type { Waiting } from './fair-queue.ts';
import type { Work } from './inputs.ts';

/** Kinds of tasks: a photo runs in one slot, batches and films are led and cut into parts. */
export type Kind = 'photo' | 'batch' | 'film';

/** What a client asks for. */
export interface Order {
  readonly kind: Kind;
  readonly credits: number;
  /** Items of a batch, seconds of a film, 1 for a photo. */
  readonly size: number;
}

/** Task on its way. */
export interface SimTask extends Waiting {
  readonly id: number;
  /** Number of its account. */
  readonly account: number;
  readonly plan: Plan;
  readonly order: Order;
  /** Time at which it was claimed; null before. */
  startedAt: number | null;
  finishedAt: number | null;
}

/** Part of a led task, which any worker takes. */
export interface SimPart extends Waiting {
  readonly task: SimTask;
  readonly step: PartStep;
  /** What the engine has to do. */
  readonly engineWork: Work;
  /** Called when it is recorded as done. */
  readonly onDone: () => void;
}

export type PartStep = 'item' | FilmStep;
