import type { Database } from '../../db/database.ts';
import { type TaskRow, taskColumns, toTask } from '../task-row.ts';
import type { Task } from '../task.ts';

/** Tasks at one time of the database's clock. */
export interface Look {
  readonly at: Date;
  readonly tasks: readonly Task[];
}

/** Fields of a task whose changes are sent as events. */
export interface TaskState extends Pick<
  Task,
  'id' | 'accountId' | 'status' | 'progress' | 'createdAt' | 'startedAt' | 'completedAt'
> {
  readonly outputCount: number;
}

/** Returns the state of a task. */
export function stateOf(task: Task): TaskState {
  return { ...task, outputCount: task.result?.outputs.length ?? 0 };
}

/** Query for the changed tasks of several accounts. */
export interface ChangesQuestion {
  readonly accountIds: readonly string[];
  /** Tasks that were created or ended at or after this time are read. */
  readonly since: Date;
  /** Tasks that are read even if they did not change. */
  readonly taskIds: readonly string[];
}

/** Query of a client that connects or reconnects. */
export interface JoinQuestion {
  readonly accountId: string;
  /** The only task to read; null for all tasks of the account. */
  readonly taskId: string | null;
  /** Time up to which the client knows all changes; null for a new client. */
  readonly since: Date | null;
  /** Time at which the client connected. */
  readonly connectedAt: Date;
  /** Whether PENDING tasks are read too, although `since` is used. */
  readonly withWaiting: boolean;
  /**
   * Whether `since` is used. If null, `since` is used unless it is in the future or too long ago.
   */
  readonly isResumed: boolean | null;
  /** Last task of the page before, in order of creation; null for the first page. */
  readonly after: string | null;
  readonly limit: number;
}

/** A page of tasks, in order of creation. */
export interface JoinPage extends Look {
  readonly isResumed: boolean;
}

/**
 * Time by which a read overlaps the one before it: a task that was created or ended shortly before
 * a read may have been committed after that read.
 */
export const OVERLAP_MS = 5000;

/** Longest absence after which a client is sent the changes that it missed. */
const RESUME_LIMIT_MS = 5 * 60_000;

/** Columns that are needed to show a task. `work` is left out, because it may be long. */
const COLUMNS = taskColumns('tasks').replace('tasks.work', 'null::jsonb as work');

/**
 * Reads the states of tasks that may have changed: running tasks, tasks created or ended since a
 * time, and named tasks. Other waiting tasks are left out, so that a long queue costs nothing.
 */
export async function readChanges(
  db: Database,
  { accountIds, since, taskIds }: ChangesQuestion,
): Promise<{ readonly at: Date; readonly states: readonly TaskState[] }> {
  const { rows } = await db.pool.query<StateRow>({
    name: 'read-changes',
    text: `select clock.looked_at, found.*
      from (select now() as looked_at) clock left join (
        select id, account_id as "accountId", status, progress, created_at as "createdAt",
          started_at as "startedAt", completed_at as "completedAt",
          coalesce(jsonb_array_length(result -> 'outputs'), 0) as "outputCount"
        from tasks
        where interface = 'ai-tasks' and not hidden and id in (
          select id from tasks where account_id = any($1::uuid[]) and status = 'PROCESSING'
          union select id from tasks where account_id = any($1) and not hidden and created_at >= $2
          union select id from tasks
            where account_id = any($1) and not hidden and completed_at is not null and completed_at >= $2
          union select unnest($3::uuid[]))) found on true
      order by found."createdAt", found.id`,
    values: [accountIds, before(since), taskIds],
  });
  const states = rows.filter(({ id }) => id !== null).map(({ looked_at: _at, ...state }) => state);
  return { at: rows[0]!.looked_at, states };
}

/**
 * Reads a page of tasks for a client that connects: unfinished tasks and those that have ended
 * since it connected or, if `since` is used, running tasks and tasks created or ended since.
 */
export async function readJoinPage(
  db: Database,
  { accountId, taskId, connectedAt, since, withWaiting, isResumed, after, limit }: JoinQuestion,
): Promise<JoinPage> {
  const { rows } = await db.pool.query<LookRow & { readonly is_resumed: boolean }>({
    name: 'read-join-page',
    text: `with asked as (
        select now() as looked_at, coalesce($6::boolean,
          $3::timestamptz > now() - interval '${RESUME_LIMIT_MS} ms'
            and $3 < now() + interval '${OVERLAP_MS} ms', false) as is_resumed)
      select asked.looked_at, asked.is_resumed, found.* from asked left join (
        select ${COLUMNS} from tasks
        where interface = 'ai-tasks' and not hidden
          and ($7::uuid is null
            or (created_at, id) > (select last.created_at, last.id from tasks last where last.id = $7))
          and id in (
            select $2::uuid where $2 is not null
            union select id from tasks where $2 is null and account_id = $1 and status = 'PROCESSING'
            union select id from tasks, asked where $2 is null and account_id = $1 and status = 'PENDING'
              and ($5::boolean or not is_resumed)
            union select id from tasks, asked where $2 is null and account_id = $1 and not hidden
              and created_at >= $4 and is_resumed
            union select id from tasks, asked where $2 is null and account_id = $1 and not hidden
              and completed_at is not null and completed_at >= case when is_resumed then $4 else $9::timestamptz end)
        order by created_at, id limit $8) found on true
      order by found.created_at, found.id`,
    values: [
      accountId,
      taskId,
      since,
      since && before(since),
      withWaiting,
      isResumed,
      after,
      limit,
      connectedAt,
    ],
  });
  const { looked_at: at, is_resumed } = rows[0]!;
  return { at, isResumed: is_resumed, tasks: tasksOf(rows) };
}

/** Reads tasks by their ids, in order of creation. */
export async function readNamed(db: Database, taskIds: readonly string[]): Promise<Look> {
  const { rows } = await db.pool.query<LookRow>({
    name: 'read-named',
    text: `select clock.looked_at, found.* from (select now() as looked_at) clock
      left join (select ${COLUMNS} from tasks where id = any($1::uuid[])) found on true
      order by found.created_at, found.id`,
    values: [taskIds],
  });
  return { at: rows[0]!.looked_at, tasks: tasksOf(rows) };
}

/** The state of a task. If no task was found, all fields except `looked_at` are null. */
type StateRow = TaskState & { readonly looked_at: Date };

type LookRow = Partial<TaskRow> & { readonly looked_at: Date };

function tasksOf(rows: readonly LookRow[]): Task[] {
  return rows.filter((row) => typeof row.id === 'string').map((row) => toTask(row as TaskRow));
}

function before(moment: Date): Date {
  return new Date(moment.getTime() - OVERLAP_MS);
}
