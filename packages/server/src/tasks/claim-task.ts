import type { HiddenTaskType, Lane, TaskType } from '@guise/contract/task.ts';
import type { Database } from '../db/database.ts';
import { inTransaction, type Transaction } from '../db/transaction.ts';
import { laneOf, TASK_COLUMNS, type TaskRow, workOf } from './task-row.ts';
import type { TaskResult, WorkSpec } from './task.ts';
import { transition } from './transition.ts';

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
}

export interface ClaimOptions {
  /** A slot kept for short work asks for `['short']` only. */
  readonly lanes: readonly Lane[];
  readonly leaseMs: number;
}

/** Any number that nothing else in this database locks on. */
const CLAIM_LOCK = 0x67_75_69_73;

/**
 * The accounts that wait are found by skipping from one to the next in the index, so that a
 * thousand tasks of one account cost no more than one. Fair share: fewest running first, then least
 * recently served; within an account the oldest task first.
 */
const NEXT_TASK = `
  with recursive waiting as (
    (select lane.name as lane, first.account_id
     from unnest($1::text[]) as lane (name), lateral (
       select account_id from tasks where status = 'PENDING' and lane = lane.name
       order by account_id limit 1) as first)
    union all
    select waiting.lane, next.account_id
    from waiting, lateral (
      select account_id from tasks where status = 'PENDING' and lane = waiting.lane and account_id > waiting.account_id
      order by account_id limit 1) as next
  ), running as (
    select account_id, count(*) as tasks from tasks where status = 'PROCESSING' group by account_id
  ), turn as (
    select account_id
    from (select distinct account_id from waiting) as accounts
    left join running using (account_id)
    left join queue_turns using (account_id)
    order by coalesce(running.tasks, 0), coalesce(last_claimed_at, 'epoch'), account_id
    limit 1
  )
  select oldest.*
  from turn, unnest($1::text[]) as lane (name), lateral (
    select ${TASK_COLUMNS.join(', ')} from tasks
    where status = 'PENDING' and lane = lane.name and account_id = turn.account_id
    order by created_at, id limit 1) as oldest
  order by created_at, id limit 1`;

/**
 * Takes the next task, if there is one. Claims of all workers follow one another, so that each sees
 * what the last one took and shares stay exact. Give it a database opened with `durable: false`: a
 * claim forgotten in a crash only puts the task back.
 */
export async function claimTask(db: Database, options: ClaimOptions): Promise<ClaimedTask | null> {
  return inTransaction(db.pool, async (client) => {
    await client.query({
      name: 'lock-claims',
      text: 'select pg_advisory_xact_lock($1)',
      values: [CLAIM_LOCK],
    });
    for (;;) {
      const { rows } = await client.query<TaskRow>({
        name: 'next-task',
        text: NEXT_TASK,
        values: [options.lanes],
      });
      const next = rows[0];
      if (next === undefined) return null;
      const claimed = await transition(client, next, { to: 'PROCESSING', leaseMs: options.leaseMs });
      // null: its client cancelled it in between.
      if (claimed === null) continue;
      await takeTurn(client, claimed.account_id);
      return toClaimedTask(claimed);
    }
  });
}

async function takeTurn(client: Transaction, accountId: string): Promise<void> {
  await client.query({
    name: 'take-turn',
    text: `insert into queue_turns (account_id, last_claimed_at) values ($1, clock_timestamp())
      on conflict (account_id) do update set last_claimed_at = excluded.last_claimed_at`,
    values: [accountId],
  });
}

function toClaimedTask(row: TaskRow): ClaimedTask {
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
  };
}
