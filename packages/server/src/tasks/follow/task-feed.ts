import type { Database } from '../../db/database.ts';
import { readLiveKeys } from '../../accounts/live-keys.ts';
import type { Task } from '../task.ts';
import { type EventId, joinsAt, knowsAll, knowsAllAt } from './event-id.ts';
import { FollowedAccount } from './followed-account.ts';
import type { Follower } from './follower.ts';
import { type Look, readChanges, readJoinPage, readNamed, stateOf, type TaskState } from './read-changes.ts';
import { keepStreamSlots } from './stream-slots.ts';

/** Least time between two looks, and so between two events of one task. */
const LOOK_INTERVAL_MS = 250;

/** Accounts that are looked at within that time; with more the looks come less often. */
const ACCOUNTS_A_LOOK = 1000;

/** Time between two looks that is for who is behind, beyond the page that is being read then. */
const CATCH_UP_MS = 150;

/** Most tasks that a follower who is behind is told of at a time. */
const PAGE_TASKS = 50;

/** Most changed tasks that are remembered for a follower; with more it begins again. */
const MAX_OWED_TASKS = 2000;

/** Pause between two signs of life of the open streams. */
const KEEP_INTERVAL_MS = 5000;

/** Pause between two looks at the keys of the open streams. */
const KEY_INTERVAL_MS = 1000;

/** Most by which this machine's clock and the database's differ. */
const CLOCKS_APART_MS = 30_000;

/** What a follower has not been told yet: it is new, or had no room. */
interface Arrears {
  /** Id of the events until it knows everything; null before the first page. */
  id: EventId | null;
  /** How far it was told where things stand; null if it knows that. */
  join: Join | null;
  /** Tasks that changed since, the last one last. */
  readonly owed: Set<string>;
}

/** How far a follower was told where things stand. */
interface Join {
  /** Last event that it got; null for a new one. */
  readonly since: EventId | null;
  /** Last task told; null before the first. */
  readonly after: string | null;
  /** Whether `since` counts; null before the first page. */
  readonly isResumed: boolean | null;
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
  /** Who is behind; the next one first. */
  readonly #behind = new Map<Follower, Arrears>();
  #lookedAt = new Date(0);
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
    this.#behind.set(follower, { id: null, join: beginAt(follower.since), owed: new Set() });
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
    // Neither waits for a long look.
    const keys = this.#repeat(KEY_INTERVAL_MS, () => this.#endDeadKeys());
    const places = this.#repeat(KEEP_INTERVAL_MS, () =>
      keepStreamSlots(
        this.#db,
        Array.from(this.#all(), ({ slotId }) => slotId),
      ),
    );
    while (this.#behind.size + this.#accounts.size > 0) {
      try {
        // One after the other, so that nobody is told an older state after a newer one.
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

  /** Does work again and again, never twice at a time. */
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

  /** Tells followers who are behind a page each, in turns, for as long as others can wait. */
  async #catchUp(): Promise<void> {
    const endsAtMs = performance.now() + CATCH_UP_MS;
    while (performance.now() < endsAtMs) {
      const next = this.#behind.entries().find(([follower]) => follower.hasRoom());
      if (next === undefined) return;
      const [follower, arrears] = next;
      // To the end of the line, also if the page fails.
      this.#behind.delete(follower);
      this.#behind.set(follower, arrears);
      if (arrears.join === null) await this.#tellOwed(follower, arrears);
      else await this.#join(follower, arrears, arrears.join);
    }
  }

  /** Sends a page of the current states, or of missed changes. */
  async #join(follower: Follower, arrears: Arrears, { since, after, isResumed }: Join): Promise<void> {
    const { accountId, taskId } = follower;
    // Joins come one after the other, so nobody else makes this account meanwhile.
    const account = this.#accounts.get(accountId) ?? (await this.#firstLookAt(accountId));
    const page = await readJoinPage(this.#db, {
      accountId,
      taskId,
      since: since === null ? null : new Date(since),
      withWaiting: since !== null && !knowsAll(since),
      isResumed,
      after,
      limit: PAGE_TASKS,
    });
    // It may have left meanwhile.
    if (!this.#behind.has(follower)) return;
    this.#accounts.set(accountId, account);
    account.followers.add(follower);
    arrears.id ??= page.isResumed ? since! : joinsAt(page.at);
    const told = this.#tellPage(follower, arrears, page, page.tasks.length < PAGE_TASKS);
    for (const task of told) account.takeIfNew(stateOf(task));
    const isDone = told.length === page.tasks.length && page.tasks.length < PAGE_TASKS;
    arrears.join = isDone ? null : { since, isResumed: page.isResumed, after: told.at(-1)?.id ?? after };
  }

  /** Tells the states of tasks that changed while there was no room. */
  async #tellOwed(follower: Follower, arrears: Arrears): Promise<void> {
    const { owed } = arrears;
    const taskIds = [...owed].slice(0, PAGE_TASKS);
    const page = await readNamed(this.#db, taskIds);
    if (!this.#behind.has(follower)) return;
    const found = new Set(page.tasks.map(({ id }) => id));
    for (const id of taskIds) if (!found.has(id)) owed.delete(id);
    this.#tellPage(follower, arrears, page, true);
  }

  /**
   * Tells tasks while there is room; who then knows everything is no longer behind.
   * @param isLast whether nothing but what is owed comes after the page.
   * @returns what was told.
   */
  #tellPage(follower: Follower, arrears: Arrears, { at, tasks }: Look, isLast: boolean): readonly Task[] {
    const { owed } = arrears;
    for (const [index, task] of tasks.entries()) {
      if (!follower.hasRoom()) return tasks.slice(0, index);
      owed.delete(task.id);
      const knowsEverything = isLast && index === tasks.length - 1 && owed.size === 0;
      follower.onTask(task, knowsEverything ? knowsAllAt(at) : arrears.id!);
    }
    if (isLast && owed.size === 0) this.#behind.delete(follower);
    return tasks;
  }

  /** Looks at an account that nobody followed: what has ended by then is no news. */
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

  /** Tells news to those who have room, page by page, so that little is in memory at a time. */
  async #tellNews(news: readonly TaskState[], at: Date): Promise<void> {
    // What nobody has room for is not read.
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
      // Told later, if the database went away meanwhile.
      for (const state of wanted)
        for (const follower of this.#followersOf(state)) this.#owe(follower, state.id);
    }
  }

  /** Returns whether a follower has room for a task; the others are owed it. */
  #isAwaited(state: TaskState): boolean {
    let isAwaited = false;
    for (const follower of this.#followersOf(state)) {
      if (this.#isUpToDate(follower)) isAwaited = true;
      else this.#owe(follower, state.id);
    }
    return isAwaited;
  }

  /** Tells a task to those who have room, as it was at a moment or a little later. */
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

  /** Remembers a change for a follower who has no room or is behind already. */
  #owe(follower: Follower, taskId: string): void {
    let arrears = this.#behind.get(follower);
    if (arrears === undefined) {
      arrears = { id: knowsAllAt(this.#lookedAt), join: null, owed: new Set() };
      this.#behind.set(follower, arrears);
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
