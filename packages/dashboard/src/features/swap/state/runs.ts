import { GuiseError, type Quote } from '@guise/client';
import { account } from '../../../api/account.ts';
import { createTask } from '../../../api/ai-tasks.ts';
import { Store } from '../../../api/store.ts';
import type { Order } from './draft.ts';

/** A swap that was started in this tab. */
export interface Run {
  readonly key: string;
  readonly order: Order;
  /** The faces of each form field, if the quote has told them. */
  readonly faces: Quote['faces'];
  /** Share of the form that was sent, 0 to 1. */
  readonly sent: number;
  /** Id of the task; null until the service has created it. */
  readonly taskId: string | null;
  /** Why the service refused it. */
  readonly error: GuiseError | null;
  /** Time of the next request if too many were sent; null if no request waits. */
  readonly waitUntil: Date | null;
}

/** Returns the engine that a run names. */
export function engineOf({ order }: Run): string {
  return order.form.get('engine') as string;
}

/** Largest number of swaps whose files are kept for comparisons. */
const MAX_KEPT = 8;

const store = new Store<readonly Run[]>([]);
const stops = new Map<string, AbortController>();

/** Idempotency keys of orders whose task is not known to exist. */
const KEYS = new WeakMap<Order, string>();
/** Runs that the user has cancelled before the service told the id of their task. */
const unwanted = new Set<string>();

/** Returns the swaps that were started in this tab, newest first. */
export function useRuns(): readonly Run[] {
  return store.use();
}

/**
 * Starts a swap. `onCreated` is called when the service has created the task.
 * @returns the key of the run
 */
export function startRun(order: Order, faces: Quote['faces'], onCreated: () => void): string {
  const run: Run = { key: newKey(), order, faces, sent: 0, taskId: null, error: null, waitUntil: null };
  const stop = new AbortController();
  stops.set(run.key, stop);
  store.set([run, ...store.get()].slice(0, MAX_KEPT));
  createTask(order, {
    idempotencyKey: idempotencyKeyOf(order),
    onSent: (sent) => change(run.key, { sent }),
    onWait: (waitUntil) => change(run.key, { waitUntil }),
    signal: stop.signal,
  })
    .then(({ taskId }) => {
      // The same files again are another swap.
      KEYS.delete(order);
      change(run.key, { taskId, sent: 1 });
      if (unwanted.has(run.key)) void account('DELETE', `tasks/${taskId}`).catch(() => {});
      return onCreated();
    })
    .catch((error: unknown) => {
      if (stop.signal.aborted) return store.set(store.get().filter(({ key }) => key !== run.key));
      change(run.key, {
        error: error instanceof GuiseError ? error : new GuiseError(0, { error: String(error) }),
      });
    })
    .finally(() => stops.delete(run.key));
  return run.key;
}

/**
 * Stops the upload of a run. If all was sent, the service may have created the task: it is then
 * cancelled when its id is known.
 */
export function stopRun(key: string): void {
  const run = store.get().find((each) => each.key === key);
  if (run !== undefined && run.sent >= 1) unwanted.add(key);
  else stops.get(key)?.abort(new DOMException('Cancelled', 'AbortError'));
}

/**
 * Returns the key of an order. If its answer was lost, the same order is sent with the same key, so
 * that nobody pays twice.
 */
function idempotencyKeyOf(order: Order): string {
  const key = KEYS.get(order) ?? [...crypto.getRandomValues(new Uint32Array(4))].join('-');
  KEYS.set(order, key);
  return key;
}

function change(key: string, changes: Partial<Run>): void {
  const runs = store.get();
  const before = runs.find((run) => run.key === key);
  if (before === undefined) return;
  const after = { ...before, ...changes };
  store.set(runs.map((run) => (run === before ? after : run)));
}

let count = 0;

function newKey(): string {
  count += 1;
  return `run-${count}`;
}
