import type { Follower } from './follower.ts';
import { OVERLAP_MS, type TaskState } from './read-changes.ts';

interface ToldState {
  readonly fingerprint: string;
  readonly isRunning: boolean;
  /** Time of the task's end, or of its creation if it has not ended. */
  readonly movedAt: Date;
}

/** An account with followers, and the task states that they have been sent. */
export class FollowedAccount {
  readonly followers = new Set<Follower>();
  /** Tasks that ended before this time are not reported. */
  readonly #since: Date;
  /** Last state sent of each task that is running or was created or ended recently, by task id. */
  readonly #told = new Map<string, ToldState>();

  /** @param at time of the first read @param states states found by that read */
  constructor(at: Date, states: readonly TaskState[]) {
    // A task's end may be committed after this read with a time before it.
    this.#since = new Date(at.getTime() - OVERLAP_MS);
    for (const state of states) if (state.completedAt !== null) this.take(state);
  }

  /** Ids of the tasks that were running in the last state sent. */
  get running(): string[] {
    return [...this.#told].filter(([, { isRunning }]) => isRunning).map(([id]) => id);
  }

  /** Returns whether followers must be sent a state, and records the state as sent. */
  isNews(state: TaskState): boolean {
    const before = this.#told.get(state.id);
    if (before?.fingerprint === fingerprintOf(state)) return false;
    this.take(state);
    // The end of a task before the first read is not a change.
    return before !== undefined || state.completedAt === null || state.completedAt >= this.#since;
  }

  /** Records a state as sent. */
  take(state: TaskState): void {
    this.#told.set(state.id, {
      fingerprint: fingerprintOf(state),
      isRunning: state.status === 'PROCESSING',
      movedAt: state.completedAt ?? state.createdAt,
    });
  }

  /** Records a state that was sent to one follower, unless a state of the task was sent to all. */
  takeIfNew(state: TaskState): void {
    if (!this.#told.has(state.id)) this.take(state);
  }

  /** Forgets tasks that will not be read again unless they change. */
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
