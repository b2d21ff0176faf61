import type { TaskStatus, TaskType } from '@guise/contract/task.ts';
import type { Database } from '../../db/database.ts';
import { TASK_COLUMNS, type TaskRow, toTask } from '../task-row.ts';
import type { Task, TaskInterface } from '../task.ts';

export interface TaskFilter {
  readonly accountId: string;
  readonly status?: TaskStatus;
  readonly type?: TaskType;
  readonly interface?: TaskInterface;
  readonly from?: Date;
  readonly to?: Date;
  /** Id of the last task of the previous page. */
  readonly after?: string;
  readonly limit: number;
}

/** Returns a page of an account's tasks from both interfaces, newest first. */
export async function listTasks(db: Database, filter: TaskFilter): Promise<Task[]> {
  const { rows } = await db.pool.query<TaskRow>(
    `select ${TASK_COLUMNS.join(', ')} from tasks
     where account_id = $1 and not hidden
       and ($2::text is null or status = $2) and ($3::text is null or type = $3)
       and ($4::text is null or interface = $4)
       and ($5::timestamptz is null or created_at >= $5) and ($6::timestamptz is null or created_at < $6)
       and ($7::uuid is null or (created_at, id) <
         (select created_at, id from tasks where id = $7 and account_id = $1))
     order by created_at desc, id desc limit $8`,
    [
      filter.accountId,
      filter.status,
      filter.type,
      filter.interface,
      filter.from,
      filter.to,
      filter.after,
      filter.limit,
    ],
  );
  return rows.map(toTask);
}
