import type { Database } from '../../db/database.ts';
import { type TaskRow, taskColumns, toTask } from '../task-row.ts';
import type { Task } from '../task.ts';

/** What was found at one moment of the database's clock. */
export interface Look {
  readonly at: Date;
  readonly tasks: readonly Task[];
}

interface Question {
  readonly accountIds: readonly string[];
  /** Tasks that were created or ended from then on are read. */
  readonly since: Date;
  /** Tasks that are read whatever they do. */
  readonly taskIds: readonly string[];
}

type LookRow = Partial<TaskRow> & { readonly looked_at: Date };

/**
 * Reads what may have changed: tasks that run, were created or have ended since, and named ones. A
 * task that only waits is not among them, so that a long queue costs nothing.
 */
export function readChanges(db: Database, { accountIds, since, taskIds }: Question): Promise<Look> {
  return look(db, {
    name: 'read-changes',
    ids: `select id from tasks where account_id = any($1::uuid[]) and status = 'PROCESSING'
      union select id from tasks where account_id = any($1) and not hidden and created_at >= $2
      union select id from tasks
        where account_id = any($1) and not hidden and completed_at is not null and completed_at >= $2
      union select unnest($3::uuid[])`,
    values: [accountIds, since, taskIds],
  });
}

/** Reads all unfinished tasks of an account, and a named one whatever its status is. */
export function readUnfinished(db: Database, accountId: string, taskId: string | null): Promise<Look> {
  return look(db, {
    name: 'read-unfinished',
    ids: `select id from tasks where account_id = $1 and status in ('PENDING', 'PROCESSING')
      union select $2::uuid where $2::uuid is not null`,
    values: [accountId, taskId],
  });
}

async function look(
  db: Database,
  { name, ids, values }: { readonly name: string; readonly ids: string; readonly values: unknown[] },
): Promise<Look> {
  const { rows } = await db.pool.query<LookRow>({
    name,
    text: `select clock.looked_at, found.*
      from (select now() as looked_at) clock left join (
        select ${taskColumns('tasks')} from tasks
        where id in (${ids}) and interface = 'ai-tasks' and not hidden) found on true
      order by found.created_at, found.id`,
    values,
  });
  const found = rows.filter((row) => typeof row.id === 'string') as unknown as TaskRow[];
  return { at: rows[0]!.looked_at, tasks: found.map(toTask) };
}
