import { type HiddenTaskType, type Lane, TASK_TYPES, type TaskType } from '@guise/contract/task.ts';
import type { Queryable } from '../../db/database.ts';
import { laneOf, taskColumns, type TaskRow, toTask, workOf } from '../task-row.ts';
import type { Task, WorkSpec } from '../task.ts';

/** A task that a worker has claimed. */
export interface ClaimedTask extends Omit<Task, 'status' | 'error' | 'startedAt' | 'completedAt'> {
  readonly lane: Lane;
  readonly hidden: boolean;
  readonly work: WorkSpec;
  readonly leaseToken: string;
  readonly engineDeaths: number;
  /** Start of this attempt, by the database's clock. The deadline is counted from this time. */
  readonly startedAt: Date;
  /** Place in its lane's virtual time. */
  readonly startTag: number;
}

/** Virtual time of each lane. */
export type LaneTags = Record<Lane, number>;

export interface ClaimOptions {
  /** Lanes to claim from. A slot that is reserved for short work passes `['short']`. */
  readonly lanes: readonly Lane[];
  /** Largest number of tasks to claim. */
  readonly limit: number;
  readonly leaseMs: number;
  /**
   * Lowest start tag to look for in each lane. Claimed rows stay in the index until a vacuum, and a
   * claim from the beginning would read them all.
   */
  readonly from: LaneTags;
  /**
   * Keys of the networks that this worker holds. Tasks that need another are left. Default: none.
   */
  readonly networks?: readonly string[];
}

type ClaimedRow = TaskRow & { readonly start_tag: number };

/**
 * Rough duration of a task in each lane, in seconds. Claims compare waiting times relative to it.
 */
export const EXPECTED_SECONDS: LaneTags = { short: 1, long: 30 };

/** Types of tasks that this version can do. */
const KNOWN_TYPES: readonly (TaskType | HiddenTaskType)[] = [...TASK_TYPES, 'DETECT_FACES'];

/**
 * SQL condition for tasks that this version can do. A newer version that runs at the same time may
 * create other types (docs/decisions/0019).
 */
const IS_KNOWN_TYPE = `type in (${KNOWN_TYPES.map((type) => `'${type}'`).join(', ')})`;

/**
 * Returns an SQL condition for tasks that a worker can do.
 * @param held SQL for the keys of the networks that it holds
 */
export function canDo(held: string): string {
  return `${IS_KNOWN_TYPE} and ${holds(held)}`;
}

/** Returns an SQL condition for tasks whose networks a worker holds; see `canDo`. */
export function holds(held: string): string {
  return `(tasks.networks is null or tasks.networks <@ ${held}::text[])`;
}

/**
 * SQL of a claim (docs/decisions/0015). It chooses the lane whose first task has waited longest,
 * relative to the duration of such tasks, so that no lane waits forever.
 */
const CLAIM_SQL = `with chosen as materialized (
    select asked.lane, asked.first_tag
    from unnest($1::text[], $2::float8[], $3::float8[]) as asked (lane, first_tag, expected_seconds), lateral (
      select created_at from tasks
      where status = 'PENDING' and lane = asked.lane and start_tag >= asked.first_tag and ${canDo('$6')}
      order by start_tag, created_at limit 1) as head
    order by extract(epoch from clock_timestamp() - head.created_at) / expected_seconds desc limit 1
  ), next as materialized (
    select id from tasks
    where status = 'PENDING' and lane = (select lane from chosen) and start_tag >= (select first_tag from chosen)
      and ${canDo('$6')}
    order by start_tag, created_at limit $4
    for update skip locked
  )
  update tasks set
    status = 'PROCESSING',
    lease_token = gen_random_uuid(),
    lease_until = clock_timestamp() + $5::float8 * interval '1 ms',
    started_at = clock_timestamp()
  from next where tasks.id = next.id
  returning ${taskColumns('tasks')}, tasks.start_tag`;

/**
 * Claims the tasks of one lane with the lowest start tags, in one statement. Skips tasks that
 * another transaction has locked. Pass a database opened with `durable: false`: if a crash loses a
 * claim, the task only waits again.
 * @returns tasks in the order of their start tags; none if no task waits.
 */
export async function claimTasks(db: Queryable, options: ClaimOptions): Promise<ClaimedTask[]> {
  const { lanes, limit, leaseMs, from, networks = [] } = options;
  const { rows } = await db.query<ClaimedRow>({
    name: 'claim-tasks',
    text: CLAIM_SQL,
    values: [
      lanes,
      lanes.map((lane) => from[lane]),
      lanes.map((lane) => EXPECTED_SECONDS[lane]),
      limit,
      leaseMs,
      networks,
    ],
  });
  return rows.map(toClaimedTask).toSorted((a, b) => a.startTag - b.startTag);
}

function toClaimedTask(row: ClaimedRow): ClaimedTask {
  const { status: _status, error: _error, completedAt: _end, ...task } = toTask(row);
  return {
    ...task,
    lane: laneOf(row),
    hidden: row.hidden,
    work: workOf(row),
    leaseToken: row.lease_token!,
    engineDeaths: row.engine_deaths,
    startedAt: row.started_at!,
    startTag: row.start_tag,
  };
}
