import type { TaskStatus } from '@guise/contract/task.ts';
import type { Database } from '../db/database.ts';
import { notifyInBackground } from '../db/notifications.ts';
import { inTransaction, type Transaction } from '../db/transaction.ts';
import { endTask, type EndOptions, failTask } from './end-task.ts';
import { reapParts } from './reap-parts.ts';
import { IS_THERE, NETWORK_WAIT_SECONDS } from './present-workers.ts';
import { isFilm, MIN_FILM_SECONDS, type WorkSpec } from './task.ts';
import { TASK_COLUMNS, type TaskRow } from './task-row.ts';
import { transition } from './transition.ts';

/**
 * Factor for the deadline of a film. A film holds no slot, so other work runs between its segments,
 * and each worker leads several films.
 */
const FILM_DEADLINES = 3;

/** SQL expression for the deadline factor of a task, equal to that of `deadlineOf`. */
const DEADLINES_OF_TASK = `case when work ->> 'kind' in ('swap-video', 'swap-persons')
  and work ->> 'as' is distinct from 'gif'
  and coalesce(
    round(((work -> 'part' ->> 'endSeconds')::float8 - (work -> 'part' ->> 'startSeconds')::float8)::numeric, 6),
    (work -> 'target' ->> 'durationSeconds')::numeric
  ) >= ${MIN_FILM_SECONDS} then ${FILM_DEADLINES} else 1 end`;

/** SQL for the time for which a task may wait while no worker holds its networks. */
const NETWORK_WAIT = `interval '${NETWORK_WAIT_SECONDS} s'`;

/**
 * SQL condition for tasks that wait, or whose parts do, because no worker held their networks in
 * that time. Only a worker that was there all the time can tell.
 */
const IS_WITHOUT_WORKER = `networks is not null and created_at < now() - ${NETWORK_WAIT}
  and (status = 'PENDING' or (
    exists (select from task_parts where task_id = tasks.id and task_parts.status = 'WAITING')
    and not exists (select from task_parts where task_id = tasks.id and task_parts.status = 'RUNNING')))
  and exists (select from workers where ${IS_THERE} and started_at < now() - ${NETWORK_WAIT})
  and not exists (
    select from workers where seen_at > now() - ${NETWORK_WAIT} and tasks.networks <@ recent_networks)`;

export interface ReapOptions extends EndOptions {
  readonly deadlineMs: number;
  /**
   * Whether no worker of this database is alive, which is known at a start. All running tasks are
   * then returned at once, before their leases end.
   */
  readonly workersAreGone?: boolean;
}

export interface Reaped {
  /** Number of tasks returned to the queue because their worker was dead. */
  readonly returned: number;
  /** Number of parts returned to the queue for the same reason. */
  readonly returnedParts: number;
  /** Number of tasks that failed with DEADLINE_EXCEEDED. */
  readonly expired: number;
  /** Number of tasks that failed because no worker has their networks any more. */
  readonly unavailable: number;
}

/**
 * Returns tasks and parts of dead workers to the queue, which does not count as a failed attempt.
 * Then ends tasks that are past their deadline although their worker is alive, and tasks for which
 * there is no worker any more. Any worker may run this at any time.
 */
export async function reap(db: Database, options: ReapOptions): Promise<Reaped> {
  let returned = 0;
  let expired = 0;
  let unavailable = 0;
  const returnedParts = await reapParts(db, options.workersAreGone ?? false);
  while (await returnOne(db, options.workersAreGone ?? false)) returned++;
  while (await expireOne(db, options)) expired++;
  while (await giveUpOne(db, options)) unavailable++;
  return { returned, returnedParts, expired, unavailable };
}

/**
 * Returns one task in its own transaction, because transactions that each lock one task cannot
 * deadlock.
 */
async function returnOne(db: Database, workersAreGone: boolean): Promise<boolean> {
  const row = await inTransaction(db.pool, async (client) => {
    const silent = await lockOne(
      client,
      ['PROCESSING'],
      '$1 or lease_until < clock_timestamp()',
      workersAreGone,
    );
    return silent === null ? null : transition(client, silent, { to: 'PENDING' });
  });
  if (row !== null) notifyInBackground(db.pool, 'guise_pending', row.lane);
  return row !== null;
}

function expireOne(db: Database, options: ReapOptions): Promise<boolean> {
  return endOne(db, options, async (client) => {
    const overdue = await lockOne(
      client,
      ['PROCESSING'],
      `started_at < clock_timestamp() - $1::float8 * (${DEADLINES_OF_TASK}) * interval '1 ms'
       and lease_until >= clock_timestamp()`,
      options.deadlineMs,
    );
    if (overdue === null) return null;
    const message = deadlineMessage(deadlineOf(overdue.work as WorkSpec, options.deadlineMs));
    return endTask(client, overdue, { status: 'FAILED', code: 'DEADLINE_EXCEEDED', message }, options);
  });
}

/** Ends one task whose networks no worker has. */
function giveUpOne(db: Database, options: ReapOptions): Promise<boolean> {
  return endOne(db, options, async (client) => {
    const waiting = await lockOne(client, ['PENDING', 'PROCESSING'], IS_WITHOUT_WORKER);
    if (waiting === null) return null;
    const message = 'No worker has the engine of this task any more.';
    return failTask(client, waiting, { code: 'ENGINE_UNAVAILABLE', message }, options);
  });
}

/**
 * Ends at most one task in its own transaction. @param end returns the ended task; null for none
 */
async function endOne(
  db: Database,
  options: ReapOptions,
  end: (client: Transaction) => Promise<TaskRow | null>,
): Promise<boolean> {
  const row = await inTransaction(db.pool, end);
  if (row === null) return false;
  notifyInBackground(db.pool, 'guise_cancelled', row.id);
  notifyInBackground(db.pool, 'guise_finished', row.id);
  options.onEnded?.(row.id);
  return true;
}

/**
 * Returns the time limit for one attempt at a task.
 * @param deadlineMs limit for a task that holds its slot
 */
export function deadlineOf(work: WorkSpec, deadlineMs: number): number {
  return isFilm(work) ? FILM_DEADLINES * deadlineMs : deadlineMs;
}

/** Returns the message of DEADLINE_EXCEEDED, for all places that check the deadline. */
export function deadlineMessage(deadlineMs: number): string {
  return `The task took longer than ${deadlineMs / 1000} seconds.`;
}

async function lockOne(
  client: Transaction,
  statuses: readonly TaskStatus[],
  condition: string,
  ...values: unknown[]
): Promise<TaskRow | null> {
  const { rows } = await client.query<TaskRow>(
    `select ${TASK_COLUMNS.join(', ')} from tasks
     where status in (${statuses.map((status) => `'${status}'`).join(', ')}) and (${condition})
     order by started_at limit 1 for update skip locked`,
    values,
  );
  return rows[0] ?? null;
}
