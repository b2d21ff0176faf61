import { isTerminal } from '@guise/contract/task.ts';
import type { Database } from '../../db/database.ts';
import { readLiveKeys } from '../../accounts/live-keys.ts';
import type { Task } from '../task.ts';
import { readChanges, readUnfinished } from './read-changes.ts';
import { keepStreamSlots } from './stream-slots.ts';

/** Least time between two looks, and so between two events of one task. */
const LOOK_INTERVAL_MS = 250;

/** Accounts that are looked at within that time; with more the looks come less often. */
const ACCOUNTS_A_LOOK = 1000;

/**
 * How far a look reaches back before the last one: a task that was created or ended then may have
 * been committed since.
 */
const OVERLAP_MS = 5000;

/** Longest time for which a client that was away is told what it missed. */
const RESUME_LIMIT_MS = 5 * 60_000;

/** Pause between two signs of life of the open streams. */
const KEEP_INTERVAL_MS = 5000;

/** Pause between two looks at the keys of the open streams. */
const KEY_INTERVAL_MS = 1000;

/** Somebody who follows the tasks of an account. */
export interface Follower {
  readonly accountId: string;
  /** Place of its stream among those of the account. */
  readonly slotId: string;
  /** Hash of the key by which it came: it is told nothing after the key has ended. */
  readonly keyHash: Buffer;
  /** Task to be told of alone; null for all. */
  readonly taskId: string | null;
  /** Moment up to which it was told everything; null for a new one. */
  readonly since: Date | null;
  /** @param at moment of the look, by the database's clock. */
  readonly onTask: (task: Task, at: Date) => void;
  /** Called once, when the key has ended or the feed is closed. */
  readonly onEnd: () => void;
}

interface FollowedAccount {
  readonly followers: Set<Follower>;
  /** Moment of the first look. */
  readonly since: Date;
  /** Last state told of each task that runs or has just ended, by its id. */
  readonly told: Map<string, ToldState>;
}

interface ToldState {
  readonly fingerprint: string;
  readonly isRunning: boolean;
  readonly endedAt: Date | null;
}

/**
 * Tells followers what becomes of their accounts' tasks. One question to the database every quarter
 * of a second serves all streams of this process, however many there are; while there are none it
 * asks nothing. It asks instead of listening, so that claims and heartbeats need not tell anybody.
 */
export class TaskFeed {
  readonly #db: Database;
  readonly #onError: (error: unknown) => void;
  readonly #accounts = new Map<string, FollowedAccount>();
  readonly #joining = new Set<Follower>();
  #lookedAt = new Date(0);
  #keysCheckedAtMs = 0;
  #keptAtMs = 0;
  #isLooking = false;
  #isClosed = false;

  constructor(db: Database, onError: (error: unknown) => void) {
    this.#db = db;
    this.#onError = onError;
  }

  /** Follows until the returned function is called, or `onEnd` was. */
  follow(follower: Follower): () => void {
    if (this.#isClosed) {
      follower.onEnd();
      return () => {};
    }
    this.#joining.add(follower);
    if (!this.#isLooking) void this.#lookUntilNobodyFollows();
    return () => this.#leave(follower);
  }

  /** Ends all streams. */
  close(): void {
    this.#isClosed = true;
    for (const follower of this.#all()) this.#end(follower);
  }

  #all(): Follower[] {
    const joined = [...this.#accounts.values()].flatMap(({ followers }) => Array.from(followers));
    return [...this.#joining, ...joined];
  }

  #leave(follower: Follower): void {
    this.#joining.delete(follower);
    const account = this.#accounts.get(follower.accountId);
    account?.followers.delete(follower);
    if (account?.followers.size === 0) this.#accounts.delete(follower.accountId);
  }

  #end(follower: Follower): void {
    this.#leave(follower);
    follower.onEnd();
  }

  async #lookUntilNobodyFollows(): Promise<void> {
    this.#isLooking = true;
    while (this.#joining.size + this.#accounts.size > 0) {
      try {
        // One after the other, so that nobody is told an older state after a newer one.
        await this.#checkKeys();
        for (const follower of this.#joining) await this.#join(follower);
        await this.#look();
      } catch (error) {
        this.#onError(error);
      }
      const share = Math.max(1, this.#accounts.size / ACCOUNTS_A_LOOK);
      await new Promise((resolve) => setTimeout(resolve, LOOK_INTERVAL_MS * share));
    }
    this.#isLooking = false;
  }

  /** Ends the streams whose key has ended, and says that the others are there. */
  async #checkKeys(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#keysCheckedAtMs >= KEY_INTERVAL_MS) {
      this.#keysCheckedAtMs = nowMs;
      const followers = this.#all();
      const live = await readLiveKeys(
        this.#db,
        followers.map(({ keyHash }) => keyHash),
      );
      for (const follower of followers) if (!live.has(follower.keyHash.toString('hex'))) this.#end(follower);
    }
    if (nowMs - this.#keptAtMs >= KEEP_INTERVAL_MS) {
      this.#keptAtMs = nowMs;
      await keepStreamSlots(
        this.#db,
        this.#all().map(({ slotId }) => slotId),
      );
    }
  }

  /** Tells a new follower where things stand, or what it missed. */
  async #join(follower: Follower): Promise<void> {
    const { accountId, taskId, since } = follower;
    const missedMs = since === null ? Number.POSITIVE_INFINITY : Date.now() - since.getTime();
    const { at, tasks } =
      since === null || missedMs > RESUME_LIMIT_MS
        ? await readUnfinished(this.#db, accountId, taskId)
        : await readChanges(this.#db, {
            accountIds: [accountId],
            since: new Date(since.getTime() - OVERLAP_MS),
            taskIds: taskId === null ? [] : [taskId],
          });
    // It may have left meanwhile.
    if (!this.#joining.delete(follower)) return;
    const account = this.#accounts.get(accountId) ?? { followers: new Set(), since: at, told: new Map() };
    this.#accounts.set(accountId, account);
    account.followers.add(follower);
    for (const task of tasks) {
      if (!account.told.has(task.id)) account.told.set(task.id, toldState(task));
      tell(follower, task, at);
    }
    if (this.#accounts.size === 1) this.#lookedAt = at;
  }

  async #look(): Promise<void> {
    if (this.#accounts.size === 0) return;
    const running = [...this.#accounts.values()].flatMap(({ told }) =>
      [...told].filter(([, { isRunning }]) => isRunning).map(([id]) => id),
    );
    const { at, tasks } = await readChanges(this.#db, {
      accountIds: [...this.#accounts.keys()],
      since: new Date(this.#lookedAt.getTime() - OVERLAP_MS),
      taskIds: running,
    });
    this.#lookedAt = at;
    for (const task of tasks) this.#tellIfChanged(task, at);
    const forgotten = new Date(at.getTime() - 2 * OVERLAP_MS);
    for (const { told } of this.#accounts.values()) {
      for (const [id, { endedAt }] of told) if (endedAt !== null && endedAt < forgotten) told.delete(id);
    }
  }

  #tellIfChanged(task: Task, at: Date): void {
    const account = this.#accounts.get(task.accountId);
    if (account === undefined) return;
    const state = toldState(task);
    const before = account.told.get(task.id);
    if (before?.fingerprint === state.fingerprint) return;
    account.told.set(task.id, state);
    // What had ended before anybody asked is no change.
    if (before === undefined && task.completedAt !== null && task.completedAt < account.since) return;
    for (const follower of account.followers) tell(follower, task, at);
  }
}

function tell(follower: Follower, task: Task, at: Date): void {
  if (follower.taskId === null || follower.taskId === task.id) follower.onTask(task, at);
}

function toldState(task: Task): ToldState {
  const { status, progress, startedAt, result } = task;
  return {
    fingerprint: [status, progress, startedAt?.getTime(), result?.outputs.length].join(),
    isRunning: status === 'PROCESSING',
    endedAt: isTerminal(status) ? task.completedAt : null,
  };
}
