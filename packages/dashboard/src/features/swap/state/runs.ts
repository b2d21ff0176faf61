import { useSyncExternalStore } from 'react';
import type { Quote } from '@guise/contract/ai-tasks/schemas.ts';
import { ApiError } from '../../../api/account.ts';
import { createTask } from '../../../api/ai-tasks.ts';
import { patiently } from '../../../api/patiently.ts';
import type { Order, SwapKind } from './draft.ts';

/** A swap that was started in this tab. */
export interface Run {
  readonly key: string;
  readonly kind: SwapKind;
  readonly order: Order;
  /** The faces of each form field, if the quote has told them. */
  readonly faces: Quote['faces'];
  /** Share of the form that was sent, 0 to 1. */
  readonly sent: number;
  /** Id of the task; null until the service has created it. */
  readonly taskId: string | null;
  /** Why the service refused it. */
  readonly error: ApiError | null;
  /** Time of the next request if too many were sent; null if no request waits. */
  readonly waitUntil: Date | null;
}

/** Most swaps whose files are kept for comparisons. */
const MAX_KEPT = 8;

// Runs are kept outside of the page, so that work goes on when the user opens another page.
let runs: readonly Run[] = [];
const stops = new Map<string, AbortController>();
const listeners = new Set<() => void>();

/** Returns the swaps that were started in this tab, newest first. */
export function useRuns(): readonly Run[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => runs,
  );
}

/**
 * Starts a swap. `onCreated` is called when the service has created the task.
 * @returns the key of the run
 */
export function startRun(kind: SwapKind, order: Order, faces: Quote['faces'], onCreated: () => void): string {
  const run: Run = { key: newKey(), kind, order, faces, sent: 0, taskId: null, error: null, waitUntil: null };
  const stop = new AbortController();
  stops.set(run.key, stop);
  put([run, ...runs].slice(0, MAX_KEPT));
  const create = () => createTask(order.path, order.form, (sent) => change(run.key, { sent }), stop.signal);
  patiently(create, (waitUntil) => change(run.key, { waitUntil }), stop.signal)
    .then(({ taskId }) => {
      change(run.key, { taskId, sent: 1 });
      return onCreated();
    })
    .catch((error: unknown) => {
      if (stop.signal.aborted) return put(runs.filter(({ key }) => key !== run.key));
      change(run.key, {
        error: error instanceof ApiError ? error : new ApiError(0, { error: String(error) }),
      });
    })
    .finally(() => stops.delete(run.key));
  return run.key;
}

/** Stops the upload of a run. A task that was created is cancelled through the service instead. */
export function stopRun(key: string): void {
  stops.get(key)?.abort(new DOMException('Cancelled', 'AbortError'));
}

function change(key: string, changes: Partial<Run>): void {
  const before = runs.find((run) => run.key === key);
  if (before === undefined) return;
  const after = { ...before, ...changes };
  put(runs.map((run) => (run === before ? after : run)));
}

function put(next: readonly Run[]): void {
  runs = next;
  for (const listener of listeners) listener();
}

let count = 0;

function newKey(): string {
  count += 1;
  return `run-${count}`;
}
