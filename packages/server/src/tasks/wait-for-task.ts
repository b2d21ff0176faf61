import type { TaskStatus } from '@guise/contract/task.ts';
import { isTerminal } from '@guise/contract/task.ts';
import type { Database } from '../db/database.ts';
import type { Notifications } from '../db/notifications.ts';
import { TASK_COLUMNS, type TaskRow, toTask } from './task-row.ts';
import type { Task } from './task.ts';

export interface WaitOptions {
  readonly timeoutMs: number;
  /** Aborted when the client has left. */
  readonly signal?: AbortSignal;
}

/** Interval at which the task is read again, in case a notification was lost. */
const POLL_MS = 1000;

/**
 * Waits until a task has ended; hidden tasks are included.
 * @returns null if the task did not end in time, the wait was aborted, or there is no such task.
 */
export async function waitForTask(
  db: Database,
  notifications: Notifications,
  taskId: string,
  options: WaitOptions,
): Promise<Task | null> {
  const endsAt = performance.now() + options.timeoutMs;
  // Listening starts before the first read, so that an end between the two is noticed.
  const bell = createBell(options.signal);
  const stopListening = notifications.listen('guise_finished', (payload) => {
    if (payload === null || payload === taskId) bell.ring();
  });
  try {
    while (!options.signal?.aborted) {
      const row = await readRow(db, taskId);
      if (row === null) return null;
      if (isTerminal(row.status as TaskStatus)) return toTask(row);
      const leftMs = endsAt - performance.now();
      if (leftMs <= 0) return null;
      await bell.wait(Math.min(POLL_MS, leftMs));
    }
    return null;
  } finally {
    stopListening();
    bell.remove();
  }
}

/** Makes a bell. A ring while nobody waits ends the next wait at once. */
function createBell(signal: AbortSignal | undefined): {
  ring(): void;
  wait(timeoutMs: number): Promise<void>;
  remove(): void;
} {
  let rung = Promise.withResolvers<void>();
  const ring = (): void => rung.resolve();
  signal?.addEventListener('abort', ring);
  return {
    ring,
    async wait(timeoutMs) {
      const timer = setTimeout(ring, timeoutMs);
      await rung.promise;
      clearTimeout(timer);
      rung = Promise.withResolvers<void>();
    },
    remove: () => signal?.removeEventListener('abort', ring),
  };
}

async function readRow(db: Database, taskId: string): Promise<TaskRow | null> {
  const { rows } = await db.pool.query<TaskRow>({
    name: 'read-any-task',
    text: `select ${TASK_COLUMNS.join(', ')} from tasks where id = $1`,
    values: [taskId],
  });
  return rows[0] ?? null;
}

/** Reads a task in any status; hidden tasks are included. Returns null if there is none. */
export async function readAnyTask(db: Database, taskId: string): Promise<Task | null> {
  const row = await readRow(db, taskId);
  return row && toTask(row);
}
