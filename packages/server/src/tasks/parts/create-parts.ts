import type { Lane } from '@guise/contract/task.ts';
import type { Database } from '../../db/database.ts';
import { notifyInBackground } from '../../db/notifications.ts';
import type { Lease } from '../lock-task.ts';
import { virtualCost } from '../start-tag.ts';
import type { PartStep } from './part.ts';

/** A part to create. */
export interface NewPart {
  readonly position: number;
  /** JSON that describes the work; its form depends on the step. */
  readonly work: unknown;
  /**
   * Share of the task's work that comes before this part, 0 to 1. It sets the part's place in the
   * queue: 0 is the place of its own task, 1 that of the account's next task.
   */
  readonly shareBefore: number;
}

export interface NewParts {
  readonly step: PartStep;
  readonly lane: Lane;
  /** Engine that must do the parts, in the form that workers use; null for any. */
  readonly engine: string | null;
  readonly parts: readonly NewPart[];
}

/**
 * Creates parts of a task, for all workers. Existing parts are kept, but those still waiting get
 * the given engine. So a leader that takes over a task can simply create all parts again.
 * @returns false if the task does not belong to this worker any more
 */
export async function createParts(
  db: Database,
  { taskId, leaseToken }: Lease,
  { step, lane, engine, parts }: NewParts,
): Promise<boolean> {
  const { rows } = await db.pool.query<{ readonly is_led: boolean }>({
    name: 'create-parts',
    text: `with leader as (
        select tasks.id, tasks.start_tag, ${virtualCost('tasks.cost_credits')} as cost
        from tasks join accounts on accounts.id = tasks.account_id
        where tasks.id = $1 and tasks.lease_token = $2 and tasks.status = 'PROCESSING' for key share of tasks
      ), created as (
        insert into task_parts (task_id, step, position, lane, engine, work, start_tag)
        select leader.id, $3, new.position, $4, $5, new.work, leader.start_tag + new.share_before * leader.cost
        from leader, unnest($6::int[], $7::jsonb[], $8::float8[]) as new (position, work, share_before)
        on conflict (task_id, step, position) do update set engine = excluded.engine
          where task_parts.status = 'WAITING' and task_parts.engine is distinct from excluded.engine
      )
      select exists (select from leader) as is_led`,
    values: [
      taskId,
      leaseToken,
      step,
      lane,
      engine,
      parts.map(({ position }) => position),
      parts.map(({ work }) => JSON.stringify(work)),
      parts.map(({ shareBefore }) => shareBefore),
    ],
  });
  const isLed = rows[0]!.is_led;
  if (isLed && parts.length > 0) notifyInBackground(db.pool, 'guise_parts', lane);
  return isLed;
}
