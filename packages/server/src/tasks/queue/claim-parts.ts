import type { Lane } from '@guise/contract/task.ts';
import type { Queryable } from '../../db/database.ts';
import { canDo, EXPECTED_SECONDS, holds, type LaneTags } from './claim-tasks.ts';
import { FILM_STEPS, type PartLease, type PartStep } from '../parts/part.ts';

/** A part that a worker has claimed. */
export interface ClaimedPart extends PartLease {
  readonly accountId: string;
  readonly lane: Lane;
  /** Place in its lane's virtual time. */
  readonly startTag: number;
  /** Description of the work; its form depends on the step. */
  readonly work: unknown;
  /** Progress saved by an earlier attempt. */
  readonly progress: unknown;
  /** Whether the part must run alone in its engine, because an engine died while it ran. */
  readonly isSuspect: boolean;
}

export interface ClaimedParts {
  /** Parts in the order of their start tags; none if no part is next. */
  readonly parts: readonly ClaimedPart[];
  /** Lanes in which parts for this engine wait, whether or not they are next. */
  readonly waitingIn: readonly Lane[];
}

export interface ClaimPartsOptions {
  /** Lanes whose parts may be claimed. */
  readonly lanes: readonly Lane[];
  /** Lanes whose tasks the worker could claim instead, if a task is next. */
  readonly taskLanes: readonly Lane[];
  /** Engines of this worker. It claims parts for these engines and for any engine. */
  readonly engines: readonly string[];
  /** Keys of the networks that this worker holds; see `ClaimOptions`. */
  readonly networks: readonly string[];
  /** Largest number of parts to take. */
  readonly limit: number;
  readonly leaseMs: number;
  /** Start tags below which no task is looked for; see `ClaimOptions`. */
  readonly from: LaneTags;
}

/**
 * Rough duration of a part in seconds. Waiting times of parts and tasks are compared relative to
 * their durations.
 */
const EXPECTED_PART_SECONDS = 10;

/** Steps that this version can do. */
const KNOWN_STEPS: readonly PartStep[] = ['item', ...FILM_STEPS];

/** SQL condition for parts that this version can do, of which newer versions may create others. */
const IS_KNOWN_STEP = `step in (${KNOWN_STEPS.map((step) => `'${step}'`).join(', ')})`;

/**
 * SQL of a claim. In each lane, the first task or part in the queue is next. The claim chooses the
 * lane whose next work has waited longest, relative to the duration of that work. If that is a
 * task, no part is claimed.
 */
const CLAIM_SQL = `with heads as materialized (
    select asked.lane, task.start_tag as task_tag, part.start_tag as part_tag,
      case when part.start_tag <= coalesce(task.start_tag, 'infinity')
        then extract(epoch from clock_timestamp() - part.created_at) / ${EXPECTED_PART_SECONDS}
        else extract(epoch from clock_timestamp() - task.created_at) / asked.expected_seconds end as urgency
    from unnest($1::text[], $2::boolean[], $3::boolean[], $4::float8[], $5::float8[])
      as asked (lane, takes_parts, takes_tasks, first_tag, expected_seconds)
    left join lateral (
      select start_tag, created_at from tasks
      where asked.takes_tasks and status = 'PENDING' and lane = asked.lane and start_tag >= asked.first_tag
        and ${canDo('$9')}
      order by start_tag, created_at limit 1) as task on true
    left join lateral (
      select start_tag, created_at from task_parts
      where asked.takes_parts and status = 'WAITING' and lane = asked.lane and (engine is null or engine = any($6))
        and ${IS_KNOWN_STEP} and exists (select from tasks where tasks.id = task_id and ${holds('$9')})
      order by start_tag, task_id, position limit 1) as part on true
  ), chosen as materialized (
    select lane, coalesce(task_tag, 'infinity') as last_tag from heads
    where urgency is not null order by urgency desc limit 1
  ), next as materialized (
    select task_id, step, position from task_parts
    where status = 'WAITING' and lane = (select lane from chosen) and start_tag <= (select last_tag from chosen)
      and (engine is null or engine = any($6)) and ${IS_KNOWN_STEP}
      and exists (
        select from tasks where tasks.id = task_id and tasks.status in ('PENDING', 'PROCESSING') and ${holds('$9')})
    order by start_tag, task_id, position limit $7
    for update of task_parts skip locked
  )
, claimed as (
    update task_parts set
      status = 'RUNNING',
      lease_token = gen_random_uuid(),
      lease_until = clock_timestamp() + $8::float8 * interval '1 ms'
    from next join tasks on tasks.id = next.task_id
    where task_parts.task_id = next.task_id and task_parts.step = next.step
      and task_parts.position = next.position
    returning task_parts.*, tasks.account_id
  )
  select seen.lanes, claimed.task_id as "taskId", claimed.step, claimed.position,
    claimed.lease_token as "leaseToken", claimed.account_id as "accountId", claimed.lane,
    claimed.start_tag as "startTag", claimed.work, claimed.progress, claimed.is_suspect as "isSuspect"
  from (select coalesce(array_agg(lane) filter (where part_tag is not null), '{}') as lanes from heads) as seen
  left join claimed on true`;

/** A claimed part; all its columns are null in the only row of a claim that found nothing. */
type ClaimedRow = ClaimedPart & { readonly lanes: readonly Lane[] };

/**
 * Claims the parts with the lowest start tags of one lane, unless a task or another lane is next.
 * Skips parts that another claim has locked. Pass a database opened with `durable: false`.
 */
export async function claimParts(db: Queryable, options: ClaimPartsOptions): Promise<ClaimedParts> {
  const { lanes, taskLanes, engines, networks, limit, leaseMs, from } = options;
  const asked = [...new Set([...lanes, ...taskLanes])];
  const { rows } = await db.query<ClaimedRow>({
    name: 'claim-parts',
    text: CLAIM_SQL,
    values: [
      asked,
      asked.map((lane) => lanes.includes(lane)),
      asked.map((lane) => taskLanes.includes(lane)),
      asked.map((lane) => from[lane]),
      asked.map((lane) => EXPECTED_SECONDS[lane]),
      engines,
      limit,
      leaseMs,
      networks,
    ],
  });
  const waitingIn = rows[0]!.lanes;
  const parts = rows.filter(({ taskId }) => taskId !== null).map(({ lanes: _lanes, ...part }) => part);
  return {
    parts: parts.toSorted((a, b) => a.startTag - b.startTag || a.position - b.position),
    waitingIn,
  };
}
