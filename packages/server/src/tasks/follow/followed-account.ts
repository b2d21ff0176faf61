import type { Follower } from './follower.ts';
import { OVERLAP_MS, type TaskState } from './read-changes.ts';

interface ToldState {
  readonly fingerprint: string;
  readonly isRunning: boolean;
  /** Moment of its end, or of its creation if it has not ended. */
  readonly movedAt: Date;
}

/** An account that somebody follows, and what its followers know. */
export class FollowedAccount {
  readonly followers = new Set<Follower>();
  /** Moment before which ended tasks are not reported. */
  readonly #since: Date;
  /** Last state told of each task that runs, or was created or has ended just now, by its id. */
  readonly #told = new Map<string, ToldState>();

  /** @param at moment of the first look @param states what it found */
  constructor(at: Date, states: readonly TaskState[]) {
    // An end that was committed later than this look may say that it was earlier.
    this.#since = new Date(at.getTime() - OVERLAP_MS);
    for (const state of states) if (state.completedAt !== null) this.take(state);
  }

  /** Ids of the tasks that ran when they were last told of. */
  get running(): string[] {
    return [...this.#told].filter(([, { isRunning }]) => isRunning).map(([id]) => id);
  }

  /** Returns whether followers are to be told of a state, and takes it for told. */
  isNews(state: TaskState): boolean {
    const before = this.#told.get(state.id);
    if (before?.fingerprint === fingerprintOf(state)) return false;
    this.take(state);
    // A task that had ended before anybody asked is not a change.
    return before !== undefined || state.completedAt === null || state.completedAt >= this.#since;
  }

  /** Takes a state for told. */
  take(state: TaskState): void {
    this.#told.set(state.id, {
      fingerprint: fingerprintOf(state),
      isRunning: state.status === 'PROCESSING',
      movedAt: state.completedAt ?? state.createdAt,
    });
  }

  /** Takes a state that one follower was told for told, unless all were told of the task. */
  takeIfNew(state: TaskState): void {
    if (!this.#told.has(state.id)) this.take(state);
  }

  /** Forgets tasks of which no look finds anything, unless they change. */
  forgetAt(lookedAt: Date): void {
    const forgotten = new Date(lookedAt.getTime() - 2 * OVERLAP_MS);
    for (const [id, { isRunning, movedAt }] of this.#told) {
      if (!isRunning && movedAt < forgotten) this.#told.delete(id);
    }
  }
}

function fingerprintOf({ status, progress, startedAt, outputCount }: TaskState): string {
  return [status, progress, startedAt?.getTime(), outputCount].join();
}
