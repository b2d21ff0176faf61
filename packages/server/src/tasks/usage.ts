import type { TaskType } from '@guise/contract/task.ts';
import type { Database } from '../db/database.ts';

export interface DayOfUse {
  /** Day in UTC. */
  readonly date: string;
  readonly taskType: TaskType;
  readonly tasks: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Credits captured or still held. */
  readonly credits: number;
}

/**
 * Counts an account's tasks by workflow and UTC day of creation, for the days up to today. Days
 * without tasks are left out.
 */
export async function readUsage(db: Database, accountId: string, days: number): Promise<DayOfUse[]> {
  const { rows } = await db.pool.query<DayOfUse>(
    `select to_char(created_at at time zone 'utc', 'YYYY-MM-DD') as date, type as "taskType", count(*) as tasks,
       count(*) filter (where status = 'COMPLETED') as completed,
       count(*) filter (where status = 'FAILED') as failed,
       count(*) filter (where status = 'CANCELLED') as cancelled,
       coalesce(sum(cost_credits), 0)::bigint as credits
     from tasks
     where account_id = $1 and not hidden
       and created_at >= (date_trunc('day', now() at time zone 'utc') - ($2::int - 1) * interval '1 day')
         at time zone 'utc'
     group by 1, 2 order by 1, 2`,
    [accountId, days],
  );
  return rows;
}
