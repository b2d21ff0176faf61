import { stat } from 'node:fs/promises';
import { TaskFailure } from '@guise/contract/errors.ts';
import { deleteObjects } from '../../storage/delete-objects.ts';
import type { RemoteInput } from '../../tasks/task.ts';
import type { PendingOutput } from '../work/pending-output.ts';
import type { TaskRun } from '../work/task-run.ts';
import type { RestingInput } from '../work/with-inputs.ts';
import type { LeaderOptions } from '../work/worker-options.ts';
import { fetchTarget } from './fetch-target.ts';

/**
 * Number of concurrent downloads. One slow server does not delay the others, and a fast one is not
 * overloaded.
 */
const MAX_PARALLEL_FETCHES = 6;

/**
 * Largest number of targets that are downloading or downloaded but not yet swapped, because they
 * take up storage.
 */
const MAX_TARGETS_AHEAD = 12;

/** An item whose target is given by URL. */
export interface RemoteItem {
  readonly index: number;
  readonly target: RemoteInput;
}

export interface FetchHandlers {
  /** Called with a target that has been stored. It is deleted after `swapped`. */
  readonly onFetched: (index: number, target: RestingInput) => Promise<void>;
  /** Called when the target of an item could not be downloaded. */
  readonly onUnfetched: (index: number, error: unknown) => Promise<void>;
  /** Returns the number of unfinished items. */
  readonly openItems: () => number;
  /** Called with an error that ends the whole task. */
  readonly onError: (error: unknown) => void;
}

/**
 * Downloads the targets of a batch into storage, where all workers can read them, while other items
 * are swapped. Limits the concurrent downloads and the number of waiting targets.
 */
export class TargetFetches {
  readonly #taskRun: TaskRun;
  readonly #options: LeaderOptions;
  readonly #handlers: FetchHandlers;
  #unfetched: RemoteItem[] = [];
  readonly #running = new Set<Promise<void>>();
  /** Keys of downloaded targets that are not yet swapped, by index. */
  readonly #ahead = new Map<number, string>();
  /** Running deletions of swapped targets. */
  readonly #deletions = new Set<Promise<void>>();
  /** Aborted when the attempt ends early, so that nothing waits for other servers. */
  readonly #stopped = new AbortController();
  /**
   * Aborted when the batch's total time for downloads is used up. Remaining downloads then fail.
   */
  readonly #budgetSpent = new AbortController();
  readonly #signal: AbortSignal;
  #budgetMs: number;
  /** Set while the batch can only wait for other servers. */
  #idle: { readonly sinceMs: number; readonly timer: NodeJS.Timeout } | null = null;

  constructor(taskRun: TaskRun, options: LeaderOptions, handlers: FetchHandlers) {
    this.#taskRun = taskRun;
    this.#options = options;
    this.#handlers = handlers;
    this.#signal = AbortSignal.any([taskRun.signal, this.#stopped.signal]);
    this.#budgetMs = options.settings.serverPatienceMs;
  }

  /** Starts downloading the targets of these items. */
  start(items: readonly RemoteItem[]): void {
    this.#unfetched = [...items];
    this.#goOn();
  }

  /** Deletes the target of an item that is finished. */
  swapped(index: number): void {
    const key = this.#ahead.get(index);
    if (key !== undefined) {
      this.#ahead.delete(index);
      this.#delete(key);
    }
    this.#goOn();
  }

  /** Stops all downloads. @returns when all have ended */
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#setIdle(false);
    await Promise.all([...this.#running, ...this.#deletions]);
  }

  /** Starts as many downloads as the limits allow. */
  #goOn(): void {
    while (
      !this.#signal.aborted &&
      this.#running.size < MAX_PARALLEL_FETCHES &&
      this.#running.size + this.#ahead.size < MAX_TARGETS_AHEAD
    ) {
      const item = this.#unfetched.shift();
      if (item === undefined) break;
      const run = this.#fetch(item)
        .catch((error: unknown) => {
          if (!this.#signal.aborted) this.#handlers.onError(error);
        })
        .finally(() => {
          this.#running.delete(run);
          this.#goOn();
        });
      this.#running.add(run);
    }
    const pending = this.#running.size + this.#unfetched.length;
    this.#setIdle(pending > 0 && this.#handlers.openItems() === pending && !this.#signal.aborted);
  }

  /** Counts the time without other work against the batch's total time for downloads. */
  #setIdle(isIdle: boolean): void {
    if (isIdle === (this.#idle !== null)) return;
    if (this.#idle !== null) {
      clearTimeout(this.#idle.timer);
      this.#budgetMs -= performance.now() - this.#idle.sinceMs;
      this.#idle = null;
      return;
    }
    const timer = setTimeout(() => this.#budgetSpent.abort(), Math.max(0, this.#budgetMs));
    this.#idle = { sinceMs: performance.now(), timer };
  }

  async #fetch({ index, target }: RemoteItem): Promise<void> {
    const output = this.#taskRun.newOutput();
    let objectKey: string;
    try {
      const inTime = AbortSignal.any([this.#signal, this.#budgetSpent.signal]);
      await fetchTarget(target, output.scratchPath, this.#options, inTime);
      objectKey = await store(output);
    } catch (error) {
      this.#signal.throwIfAborted();
      await output.discardUnlessOffered();
      await this.#handlers.onUnfetched(
        index,
        this.#budgetSpent.signal.aborted ? tooSlow(target.field) : error,
      );
      return;
    }
    // From here on, another leader may use the target.
    output.offered();
    this.#ahead.set(index, objectKey);
    await this.#handlers.onFetched(index, { field: target.field, objectKey });
  }

  #delete(key: string): void {
    const { db, storage, log } = this.#options;
    const deletion = deleteObjects(db.pool, storage, [key])
      // If this fails, the file is deleted at the end of the task.
      .catch((error: unknown) => log.warn({ err: error }, 'a fetched picture could not be deleted'))
      .finally(() => this.#deletions.delete(deletion));
    this.#deletions.add(deletion);
  }
}

async function store(output: PendingOutput): Promise<string> {
  const { size } = await stat(output.scratchPath);
  const { objectKey } = await output.store({ contentType: '', sizeBytes: size }, 'temporary');
  return objectKey;
}

function tooSlow(field: string): TaskFailure {
  const message = `${field} could not be fetched: the servers of this batch take too long together.`;
  return new TaskFailure('MEDIA_UNREACHABLE', message);
}
