import { type HiddenTaskType, type Lane, TASK_TYPES, type TaskType } from '@guise/contract/task.ts';
import type { Queryable } from '../../db/database.ts';
import { laneOf, taskColumns, type TaskRow, workOf } from '../task-row.ts';
import type { TaskResult, WorkSpec } from '../task.ts';

/** A task in a worker's hands. */
export interface ClaimedTask {
  readonly id: string;
  readonly accountId: string;
  readonly type: TaskType | HiddenTaskType;
  readonly lane: Lane;
  readonly hidden: boolean;
  readonly work: WorkSpec;
  /** Held. */
  readonly costCredits: number;
  readonly leaseToken: string;
  readonly engineDeaths: number;
  readonly progress: number;
  /** Result that earlier attempts delivered. */
  readonly result: TaskResult | null;
  readonly createdAt: Date;
  /** Start of this attempt, by the database's clock; the deadline counts from here. */
  readonly startedAt: Date;
  /** Place in its lane's virtual time. */
  readonly startTag: number;
}

/** Virtual times by lane. */
export type LaneTags = Record<Lane, number>;

export interface ClaimOptions {
  /** A slot kept for short work asks for `['short']` only. */
  readonly lanes: readonly Lane[];
  /** Most tasks to take. */
  readonly limit: number;
  readonly leaseMs: number;
  /**
   * Start tags below which nothing is looked for. Rows that were claimed stay in the index until it
   * is vacuumed, and a claim from the very start reads them all.
   */
  readonly from: LaneTags;
}

type ClaimedRow = TaskRow & { readonly start_tag: number };

/** Seconds that a task of a lane takes, roughly: what its time of waiting is compared with. */
export const EXPECTED_SECONDS: LaneTags = { short: 1, long: 30 };

/** Kinds of tasks that this version does. */
const KNOWN_TYPES: readonly (TaskType | HiddenTaskType)[] = [...TASK_TYPES, 'DETECT_FACES'];

/**
 * SQL that is true of tasks that this version can do: a newer one beside it may have created others
 * (docs/decisions/0019).
 */
export const IS_KNOWN_TYPE = `type in (${KNOWN_TYPES.map((type) => `'${type}'`).join(', ')})`;

/**
 * SQL of a claim (docs/decisions/0015). Of two lanes it takes the one whose first task has waited
 * longest for what it takes, so that neither waits for ever.
 */
const CLAIM_SQL = `with chosen as materialized (
    select asked.lane, asked.first_tag
    from unnest($1::text[], $2::float8[], $3::float8[]) as asked (lane, first_tag, expected_seconds), lateral (
      select created_at from tasks
      where status = 'PENDING' and lane = asked.lane and start_tag >= asked.first_tag and ${IS_KNOWN_TYPE}
      order by start_tag, created_at limit 1) as head
    order by extract(epoch from clock_timestamp() - head.created_at) / expected_seconds desc limit 1
  ), next as materialized (
    select id from tasks
    where status = 'PENDING' and lane = (select lane from chosen) and start_tag >= (select first_tag from chosen)
      and ${IS_KNOWN_TYPE}
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
 * Takes the tasks with the lowest start tags of one lane, in one statement; what another claim or a
 * cancellation has locked is passed over. Give it a database opened with `durable: false`: a claim
 * forgotten in a crash only puts the task back.
 * @returns them in the order of their tags; none if nothing waits there.
 */
export async function claimTasks(db: Queryable, options: ClaimOptions): Promise<ClaimedTask[]> {
  const { lanes, limit, leaseMs, from } = options;
  const { rows } = await db.query<ClaimedRow>({
    name: 'claim-tasks',
    text: CLAIM_SQL,
    values: [
      lanes,
      lanes.map((lane) => from[lane]),
      lanes.map((lane) => EXPECTED_SECONDS[lane]),
      limit,
      leaseMs,
    ],
  });
  return rows.map(toClaimedTask).toSorted((a, b) => a.startTag - b.startTag);
}

function toClaimedTask(row: ClaimedRow): ClaimedTask {
  return {
    id: row.id,
    accountId: row.account_id,
    type: row.type as TaskType | HiddenTaskType,
    lane: laneOf(row),
    hidden: row.hidden,
    work: workOf(row),
    costCredits: row.cost_credits,
    leaseToken: row.lease_token as string,
    engineDeaths: row.engine_deaths,
    progress: row.progress,
    result: row.result as TaskResult | null,
    createdAt: row.created_at,
    startedAt: row.started_at as Date,
    startTag: row.start_tag,
  };
}
