import type { Database } from '../../db/database.ts';
import { readLiveKeys } from '../../accounts/live-keys.ts';
import type { Task } from '../task.ts';
import { type EventId, joinsAt, knowsAll, knowsAllAt } from './event-id.ts';
import { FollowedAccount } from './followed-account.ts';
import type { Follower } from './follower.ts';
import { type Look, readChanges, readJoinPage, readNamed, stateOf, type TaskState } from './read-changes.ts';
import { keepStreamSlots } from './stream-slots.ts';

/** Shortest time between two reads, and so between two events of one task. */
const LOOK_INTERVAL_MS = 250;

/** Accounts that can be read at that interval. With more accounts, the interval grows. */
const ACCOUNTS_A_LOOK = 1000;

/**
 * Time between two reads in which followers that are behind are served. The last page may exceed
 * this time.
 */
const CATCH_UP_MS = 150;

/** Largest number of tasks in one page for a follower that is behind. */
const PAGE_TASKS = 50;

/**
 * Largest number of changed tasks that are remembered for a follower. Beyond this, the changes
 * since its last event are read again.
 */
const MAX_OWED_TASKS = 2000;

/** Interval at which open streams are recorded as alive. */
const KEEP_INTERVAL_MS = 5000;

/** Interval at which the API keys of open streams are checked. */
const KEY_INTERVAL_MS = 1000;

/** Largest assumed difference between the clocks of this machine and the database. */
const CLOCKS_APART_MS = 30_000;

/** What a follower has still to be sent, because it is new or its connection was full. */
interface Arrears {
  /** Number of tasks in its next page: about as many as it had room for in the last one. */
  pageTasks: number;
  /** Whether no page was read for it yet. */
  isNew: boolean;
  /** Id of the events until the follower knows everything; null before the first page. */
  id: EventId | null;
  /** Progress of sending the current states; null when all have been sent. */
  join: Join | null;
  /** Tasks that have changed since then, the latest change last. */
  readonly owed: Set<string>;
}

/** Progress of sending the current states to a follower. */
interface Join {
  /** Id of the last event that the client received; null for a new client. */
  readonly since: EventId | null;
  /** Id of the last task sent; null before the first. */
  readonly after: string | null;
  /** Whether `since` is used; null before the first page. */
  readonly isResumed: boolean | null;
}

/**
 * Sends changes of tasks to followers. One query every quarter of a second serves all streams of
 * this process; without streams there are no queries. The feed polls, so that claims and heartbeats
 * need not send notifications.
 */
export class TaskFeed {
  readonly #db: Database;
  readonly #onError: (error: unknown) => void;
  readonly #accounts = new Map<string, FollowedAccount>();
  /** Followers that are behind, in the order in which they are served. */
  readonly #behind = new Map<Follower, Arrears>();
  #lookedAt = new Date(0);
  #isLooking = false;
  #isClosed = false;

  constructor(db: Database, onError: (error: unknown) => void) {
    this.#db = db;
    this.#onError = onError;
  }

  /** Follows until the returned function is called or `onEnd` has been called. */
  follow(follower: Follower): () => void {
    if (this.#isClosed) {
      follower.onEnd();
      return () => {};
    }
    this.#beBehind(follower, { isNew: true, id: null, join: beginAt(follower.since) });
    if (!this.#isLooking) void this.#lookUntilNobodyFollows();
    return () => this.#leave(follower);
  }

  /** Ends all streams. */
  close(): void {
    this.#isClosed = true;
    for (const follower of this.#all()) this.#end(follower);
  }

  #all(): Set<Follower> {
    const followers = new Set(this.#behind.keys());
    for (const account of this.#accounts.values())
      for (const follower of account.followers) followers.add(follower);
    return followers;
  }

  #leave(follower: Follower): void {
    this.#behind.delete(follower);
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
    // These checks run on their own timers, so that a long read does not delay them.
    const keys = this.#repeat(KEY_INTERVAL_MS, () => this.#endDeadKeys());
    const places = this.#repeat(KEEP_INTERVAL_MS, () =>
      keepStreamSlots(
        this.#db,
        Array.from(this.#all(), ({ slot }) => slot.id),
      ),
    );
    while (this.#behind.size + this.#accounts.size > 0) {
      try {
        // These run one after the other, so that no follower gets an older state after a newer one.
        await this.#catchUp();
        await this.#look();
      } catch (error) {
        this.#onError(error);
      }
      const share = Math.max(1, this.#accounts.size / ACCOUNTS_A_LOOK);
      await new Promise((resolve) => setTimeout(resolve, LOOK_INTERVAL_MS * share));
    }
    clearInterval(keys);
    clearInterval(places);
    this.#isLooking = false;
  }

  /** Repeats work at an interval, and skips a turn while the last one still runs. */
  #repeat(intervalMs: number, work: () => Promise<void>): NodeJS.Timeout {
    let isRunning = false;
    return setInterval(() => {
      if (isRunning) return;
      isRunning = true;
      void work()
        .catch(this.#onError)
        .finally(() => (isRunning = false));
    }, intervalMs);
  }

  async #endDeadKeys(): Promise<void> {
    const followers = this.#all();
    const live = await readLiveKeys(
      this.#db,
      Array.from(followers, ({ keyHash }) => keyHash),
    );
    for (const follower of followers) {
      if (!live.has(follower.keyHash.toString('hex'))) this.#end(follower);
    }
  }

  /** Sends a page to each follower that is behind, in turns, for `CATCH_UP_MS`. */
  async #catchUp(): Promise<void> {
    const endsAtMs = performance.now() + CATCH_UP_MS;
    while (performance.now() < endsAtMs) {
      const next = this.#nextBehind();
      if (next === undefined) return;
      const [follower, arrears] = next;
      // The follower goes to the end of the queue, even if its page fails.
      this.#behind.delete(follower);
      this.#behind.set(follower, arrears);
      arrears.isNew = false;
      if (arrears.join === null) await this.#tellOwed(follower, arrears);
      else await this.#join(follower, arrears, arrears.join);
    }
  }

  /** Returns the follower to serve next: a new one, else the one that has waited longest. */
  #nextBehind(): [Follower, Arrears] | undefined {
    let next: [Follower, Arrears] | undefined;
    for (const entry of this.#behind) {
      const [follower, { isNew }] = entry;
      if (!follower.hasRoom()) continue;
      if (isNew) return entry;
      next ??= entry;
    }
    return next;
  }

  /** Sends a page of the current states or of missed changes. */
  async #join(follower: Follower, arrears: Arrears, { since, after, isResumed }: Join): Promise<void> {
    const { accountId, taskId, slot } = follower;
    const limit = arrears.pageTasks;
    // Only one join runs at a time, so no other join can create this account during the await.
    const account = this.#accounts.get(accountId) ?? (await this.#firstLookAt(accountId));
    const page = await readJoinPage(this.#db, {
      accountId,
      taskId,
      connectedAt: slot.takenAt,
      since: since === null ? null : new Date(since),
      withWaiting: since !== null && !knowsAll(since),
      isResumed,
      after,
      limit,
    });
    // The follower may have left during the await.
    if (!this.#behind.has(follower)) return;
    this.#accounts.set(accountId, account);
    account.followers.add(follower);
    arrears.id ??= page.isResumed ? since! : joinsAt(page.at);
    const isLast = page.tasks.length < limit;
    const told = this.#tellPage(follower, arrears, page, isLast);
    for (const task of told) account.takeIfNew(stateOf(task));
    const isDone = isLast && told.length === page.tasks.length;
    arrears.join = isDone ? null : { since, isResumed: page.isResumed, after: told.at(-1)?.id ?? after };
  }

  /** Sends the current states of tasks that changed while the follower could not receive events. */
  async #tellOwed(follower: Follower, arrears: Arrears): Promise<void> {
    const { owed } = arrears;
    const taskIds = [...owed].slice(0, arrears.pageTasks);
    const page = await readNamed(this.#db, taskIds);
    if (!this.#behind.has(follower)) return;
    const found = new Set(page.tasks.map(({ id }) => id));
    for (const id of taskIds) if (!found.has(id)) owed.delete(id);
    this.#tellPage(follower, arrears, page, true);
  }

  /**
   * Sends tasks while the follower can receive them. A follower that then knows everything is
   * removed from those behind.
   * @param isLast whether no page follows, so that only owed tasks may be left.
   * @returns the tasks that were sent.
   */
  #tellPage(follower: Follower, arrears: Arrears, { at, tasks }: Look, isLast: boolean): readonly Task[] {
    const { owed } = arrears;
    for (const [index, task] of tasks.entries()) {
      if (!follower.hasRoom()) {
        arrears.pageTasks = Math.max(1, index);
        return tasks.slice(0, index);
      }
      owed.delete(task.id);
      const knowsEverything = isLast && index === tasks.length - 1 && owed.size === 0;
      follower.onTask(task, knowsEverything ? knowsAllAt(at) : arrears.id!);
    }
    arrears.pageTasks = Math.min(PAGE_TASKS, 2 * arrears.pageTasks);
    if (isLast && owed.size === 0) this.#behind.delete(follower);
    return tasks;
  }

  /**
   * Reads an account that had no followers. Tasks that have ended before this read are not
   * reported.
   */
  async #firstLookAt(accountId: string): Promise<FollowedAccount> {
    const since = new Date(Date.now() - CLOCKS_APART_MS);
    const { at, states } = await readChanges(this.#db, { accountIds: [accountId], since, taskIds: [] });
    if (this.#accounts.size === 0) this.#lookedAt = at;
    return new FollowedAccount(at, states);
  }

  async #look(): Promise<void> {
    if (this.#accounts.size === 0) return;
    const { at, states } = await readChanges(this.#db, {
      accountIds: [...this.#accounts.keys()],
      since: this.#lookedAt,
      taskIds: [...this.#accounts.values()].flatMap(({ running }) => running),
    });
    const news = states.filter((state) => this.#accounts.get(state.accountId)?.isNews(state));
    await this.#tellNews(news, at);
    this.#lookedAt = at;
    for (const account of this.#accounts.values()) account.forgetAt(at);
  }

  /**
   * Sends changes to the followers that can receive them, page by page, so that few tasks are in
   * memory.
   */
  async #tellNews(news: readonly TaskState[], at: Date): Promise<void> {
    // Only tasks that at least one follower can receive are read.
    const wanted = new Set(news.filter((state) => this.#isAwaited(state)));
    try {
      while (wanted.size > 0) {
        const page = [...wanted].slice(0, PAGE_TASKS);
        const { tasks } = await readNamed(
          this.#db,
          page.map(({ id }) => id),
        );
        for (const task of tasks) this.#tell(task, at);
        for (const state of page) wanted.delete(state);
      }
    } finally {
      // If the database failed, these changes are sent later.
      for (const state of wanted)
        for (const follower of this.#followersOf(state)) this.#owe(follower, state.id);
    }
  }

  /**
   * Returns whether any follower can receive a task now. The others will be sent the task later.
   */
  #isAwaited(state: TaskState): boolean {
    let isAwaited = false;
    for (const follower of this.#followersOf(state)) {
      if (this.#isUpToDate(follower)) isAwaited = true;
      else this.#owe(follower, state.id);
    }
    return isAwaited;
  }

  /**
   * Sends a task to the followers that can receive it. @param at time at or before the task was
   * read
   */
  #tell(task: Task, at: Date): void {
    this.#accounts.get(task.accountId)?.take(stateOf(task));
    for (const follower of this.#followersOf(task)) {
      if (this.#isUpToDate(follower)) follower.onTask(task, knowsAllAt(at));
      else this.#owe(follower, task.id);
    }
  }

  #followersOf({ id, accountId }: Pick<Task, 'id' | 'accountId'>): Follower[] {
    const followers = this.#accounts.get(accountId)?.followers ?? [];
    return [...followers].filter(({ taskId }) => taskId === null || taskId === id);
  }

  #isUpToDate(follower: Follower): boolean {
    return !this.#behind.has(follower) && follower.hasRoom();
  }

  #beBehind(follower: Follower, from: Pick<Arrears, 'isNew' | 'id' | 'join'>): Arrears {
    const arrears: Arrears = { ...from, pageTasks: PAGE_TASKS, owed: new Set() };
    this.#behind.set(follower, arrears);
    return arrears;
  }

  /** Remembers a change for a follower that is behind or cannot receive events now. */
  #owe(follower: Follower, taskId: string): void {
    let arrears = this.#behind.get(follower);
    if (arrears === undefined) {
      arrears = this.#beBehind(follower, { isNew: false, id: knowsAllAt(this.#lookedAt), join: null });
    }
    arrears.owed.delete(taskId);
    arrears.owed.add(taskId);
    if (arrears.owed.size <= MAX_OWED_TASKS || arrears.id === null) return;
    arrears.owed.clear();
    arrears.join = beginAt(arrears.id);
  }
}

function beginAt(since: EventId | null): Join {
  return { since, after: null, isResumed: null };
}
