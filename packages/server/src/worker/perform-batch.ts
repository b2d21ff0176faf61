import { rm } from 'node:fs/promises';
import { TaskFailure } from '@guise/contract/errors.ts';
import type { Outcome } from '../tasks/finish-task.ts';
import { MAX_ENGINE_DEATHS } from '../tasks/return-task.ts';
import type { SwapBatchOrder } from '../tasks/task.ts';
import { BatchResult } from './batch-result.ts';
import type { EngineProcess } from './engine-process.ts';
import { EngineDied } from './jobs-in-hand.ts';
import { fetchTarget } from './fetch-target.ts';
import { storeStill, type SwappedStill, swapStill } from './make-still.ts';
import { SharedSight } from './shared-sight.ts';
import { asTaskFailure } from './task-failure.ts';
import type { TaskInHand } from './task-in-hand.ts';
import type { LocalInput } from './with-inputs.ts';
import type { SlotOptions } from './worker-options.ts';

interface OpenItem {
  readonly index: number;
  engineDeaths: number;
  /** An engine had it and another item when it died: it may be the one that killed it. */
  isSuspect: boolean;
  /** A target given by its URL, once it is here. */
  fetched: LocalInput | null;
}

/** Swapped and on their way to store and database, while their engines go on. A store that is away holds all up. */
const LEAVING_AT_A_TIME = 8;
/** A server that answers slowly holds nobody up, one that answers fast is not flooded. */
const FETCHES_AT_A_TIME = 6;
/** Fetched or on their way, and not yet swapped: they take room on the disk. */
const MOST_AHEAD = 12;

/**
 * Item by item on this slot's engine, and on those of other slots that have nothing to claim; targets given by URL are
 * fetched meanwhile, and an engine goes on with the next item while the last one is encoded, written and stored. Each item
 * is shown as soon as it is done, so that whoever takes the task over goes on with the rest. An item that fails, fails alone.
 */
export async function performBatch(
  order: SwapBatchOrder,
  hand: TaskInHand,
  options: SlotOptions,
): Promise<Outcome> {
  const { engine, sharedItems, work, log } = options;
  const { task, signal } = hand;
  const shares = sharedPart(order);
  const sight = shares.shared === 'source' ? new SharedSight() : null;
  const result = new BatchResult(order.items.length, task.result);
  const open: OpenItem[] = result.open.map((index) => ({
    index,
    engineDeaths: 0,
    isSuspect: false,
    fetched: null,
  }));
  const isRemote = ({ index }: OpenItem): boolean => 'url' in order.items[index]!.target;
  const unfetched = open.filter(isRemote);
  /** With a target at hand. */
  const waiting = open.filter((item) => !isRemote(item));
  const running = new Set<Promise<void>>();
  const fetching = new Set<Promise<void>>();
  /** Of those that run. */
  const leaving = new Set<Promise<void>>();
  /** Where the attempt ends early, nobody waits for servers elsewhere. */
  const ending = new AbortController();
  const fetchSignal = AbortSignal.any([signal, ending.signal]);
  /** Enough waited for servers elsewhere: what they have not sent by now fails. */
  const outOfPatience = new AbortController();
  let patienceMs = options.settings.serverPatienceMs;
  /** Not of an item but of the task: the first one ends the attempt. */
  const errors: unknown[] = [];

  const startItem = (engineToUse: EngineProcess): Promise<void> | null => {
    const item = signal.aborted ? undefined : waiting.shift();
    if (item === undefined) return null;
    const left = Promise.withResolvers<void>();
    const leave = (): void => {
      leaving.add(run);
      left.resolve();
    };
    const run = perform(item, engineToUse, leave)
      .catch((error: unknown) => void errors.push(error))
      .finally(() => {
        running.delete(run);
        leaving.delete(run);
        left.resolve();
        startFetches();
      });
    running.add(run);
    return left.promise.then(untilLeavingIsShort);
  };
  const untilLeavingIsShort = async (): Promise<void> => {
    while (leaving.size >= LEAVING_AT_A_TIME) await Promise.race(leaving);
  };
  const startFetches = (): void => {
    const isAhead = (): number => fetching.size + waiting.filter(isRemote).length;
    while (!signal.aborted && fetching.size < FETCHES_AT_A_TIME && isAhead() < MOST_AHEAD) {
      const item = unfetched.shift();
      if (item === undefined) return;
      const run = fetch(item)
        .catch((error: unknown) => void errors.push(error))
        .finally(() => {
          fetching.delete(run);
          startFetches();
        });
      fetching.add(run);
    }
  };
  const withdraw = sharedItems.offer(startItem);
  work.wake('long');
  startFetches();
  try {
    while (waiting.length + running.size + fetching.size > 0) {
      signal.throwIfAborted();
      await (startItem(engine) ?? untilSomethingEnds());
      if (errors.length > 0) throw errors[0];
    }
  } finally {
    withdraw();
    unfetched.length = 0;
    ending.abort();
    await Promise.all([...running, ...fetching]);
    await Promise.all(open.map(dropFetched));
  }
  return outcomeOf(result);

  async function untilSomethingEnds(): Promise<void> {
    const onlyServers = running.size === 0;
    const since = performance.now();
    const timer = onlyServers ? setTimeout(() => outOfPatience.abort(), patienceMs) : undefined;
    await Promise.race([...running, ...fetching]);
    clearTimeout(timer);
    if (onlyServers) patienceMs -= performance.now() - since;
  }

  async function fetch(item: OpenItem): Promise<void> {
    const { target } = order.items[item.index]!;
    if (!('url' in target)) return;
    try {
      const inTime = AbortSignal.any([fetchSignal, outOfPatience.signal]);
      item.fetched = await fetchTarget(target, options, inTime);
      waiting.push(item);
      // Other slots may have found nothing to do.
      work.wake('long');
    } catch (error) {
      fetchSignal.throwIfAborted();
      await endFailed(item, outOfPatience.signal.aborted ? tooSlow(target.field) : error);
    }
  }

  /** @param leave called when the engine is free for another item. */
  async function perform(item: OpenItem, engineToUse: EngineProcess, leave: () => void): Promise<void> {
    const output = hand.newOutput();
    const { source, target } = order.items[item.index]!;
    const sharing = sight?.controlFor(engineToUse);
    const targetAtHand = 'url' in target ? item.fetched! : target;
    let swapped: SwappedStill;
    try {
      swapped = await swapStill(
        {
          kind: 'swap-image',
          source,
          target: targetAtHand,
          restore: order.restore,
          ...(order.output === undefined ? {} : { output: order.output }),
        },
        engineToUse,
        output,
        options,
        { signal, ...shares, ...sharing, ...(item.isSuspect ? {} : { onWriting: leave }) },
      ).finally(() => {
        // Where nothing was seen by now, whoever waits for it looks itself.
        sharing?.onSeen?.(null);
      });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof EngineDied) {
        log.error({ err: error, taskId: task.id, item: item.index }, 'the engine died on an item of a batch');
        if (error.wasAlone) item.engineDeaths += 1;
        else item.isSuspect = true;
        if (item.engineDeaths < MAX_ENGINE_DEATHS) {
          waiting.push(item);
          return;
        }
      }
      await output.discardUnlessOffered();
      await endFailed(item, error);
      return;
    }
    leave();
    await dropFetched(item);
    try {
      result.delivered(item.index, await storeStill(swapped, output));
    } catch (error) {
      signal.throwIfAborted();
      await output.discardUnlessOffered();
      await endFailed(item, error);
      return;
    }
    await show();
  }

  async function endFailed(item: OpenItem, error: unknown): Promise<void> {
    signal.throwIfAborted();
    const failure = itemFailure(error);
    if (failure.code === 'INTERNAL_ERROR') log.error({ err: failure, taskId: task.id }, 'an item failed');
    result.failed(item.index, failure.code, failure.message);
    await dropFetched(item);
    await show();
  }

  async function show(): Promise<void> {
    hand.onProgress(result.progress);
    // What is whole is shown by the task's end.
    if (result.open.length > 0) await hand.show(result.current);
  }
}

/** Decisions, No face: when every item fails, so does the task, with the first item's code. */
function outcomeOf({ current }: BatchResult): Outcome {
  const [first] = current.failures;
  if (current.outputs.length > 0 || first === undefined) return { status: 'COMPLETED', result: current };
  const { length } = current.failures;
  const message = length === 1 ? first.message : `All ${length} items failed; the first: ${first.message}`;
  return { status: 'FAILED', code: first.code, message, result: current };
}

function tooSlow(field: string): TaskFailure {
  const message = `${field} could not be fetched: the servers of this batch take too long together.`;
  return new TaskFailure('MEDIA_UNREACHABLE', message);
}

function itemFailure(error: unknown): TaskFailure {
  if (!(error instanceof EngineDied)) return asTaskFailure(error);
  return new TaskFailure(
    'WORKER_LOST',
    `The engine stopped unexpectedly ${MAX_ENGINE_DEATHS} times while working on this item.`,
    error,
  );
}

/** Which file all items have in common, where there are several. */
function sharedPart({ items }: SwapBatchOrder): { shared?: 'source' | 'target' } {
  const [first, second] = items;
  if (first === undefined || second === undefined) return {};
  return { shared: first.source.objectKey === second.source.objectKey ? 'source' : 'target' };
}

async function dropFetched(item: OpenItem): Promise<void> {
  if (item.fetched !== null) await rm(item.fetched.localPath, { force: true });
  item.fetched = null;
}
