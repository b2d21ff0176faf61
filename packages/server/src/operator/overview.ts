import type { TaskType } from '@guise/contract/task.ts';
import type { Database } from '../db/database.ts';

interface Amount {
  readonly objects: number;
  readonly bytes: number;
}

interface EndedInHour {
  readonly hour: Date;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
}

export interface Totals {
  /** Tasks that ended in this hour and the 23 before it, oldest hour first. */
  readonly lastDay: readonly EndedInHour[];
  readonly storage: { readonly inputs: Amount; readonly outputs: Amount; readonly databaseBytes: number };
  readonly accounts: { readonly total: number; readonly unverified: number; readonly suspended: number };
}

/** Reads the current totals of the whole installation. */
export async function readTotals(db: Database): Promise<Totals> {
  const [tasks, objects, accounts, size] = await Promise.all([
    db.pool.query<EndedInHour>(
      `select hour, coalesce(completed, 0) as completed, coalesce(failed, 0) as failed,
         coalesce(cancelled, 0) as cancelled
       from generate_series(date_trunc('hour', now()) - interval '23 hours', now(), interval '1 hour') hour
       left join (
         select date_trunc('hour', completed_at) as hour,
           count(*) filter (where status = 'COMPLETED') as completed,
           count(*) filter (where status = 'FAILED') as failed,
           count(*) filter (where status = 'CANCELLED') as cancelled
         from tasks where completed_at >= date_trunc('hour', now()) - interval '23 hours' and not hidden
         group by 1
       ) ended using (hour)
       order by hour`,
    ),
    db.pool.query<Amount & { kind: string }>(
      'select kind, count(*) as objects, coalesce(sum(size_bytes), 0)::bigint as bytes from objects group by kind',
    ),
    db.pool.query(
      `select count(*) as total, count(*) filter (where email_verified_at is null) as unverified,
         count(*) filter (where suspended_at is not null) as suspended from accounts`,
    ),
    db.pool.query<{ bytes: number }>('select pg_database_size(current_database()) as bytes'),
  ]);
  const amountOf = (kind: string): Amount => {
    const row = objects.rows.find((each) => each.kind === kind);
    return { objects: row?.objects ?? 0, bytes: row?.bytes ?? 0 };
  };
  return {
    lastDay: tasks.rows,
    storage: {
      inputs: amountOf('input'),
      outputs: amountOf('output'),
      databaseBytes: size.rows[0]!.bytes,
    },
    accounts: accounts.rows[0],
  };
}

export interface Failure {
  /** Id of the task. */
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
  readonly taskType: TaskType;
  readonly interface: 'ai-tasks' | 'v1';
  readonly code: string;
  readonly message: string;
  readonly completedAt: Date;
}

/**
 * Lists a page of failed tasks, newest first. @param after id of the last task of the previous
 * page.
 */
export async function listFailures(
  db: Database,
  { after, limit }: { readonly after?: string; readonly limit: number },
): Promise<Failure[]> {
  const { rows } = await db.pool.query<Failure>(
    `select t.id, a.id as "accountId", a.email, t.type as "taskType", t.interface,
       t.error_code as code, coalesce(t.error_message, '') as message, t.completed_at as "completedAt"
     from tasks t join accounts a on a.id = t.account_id
     where t.status = 'FAILED' and not t.hidden
       and ($1::uuid is null or (t.completed_at, t.id) < (select completed_at, id from tasks where id = $1))
     order by t.completed_at desc, t.id desc limit $2`,
    [after, limit],
  );
  return rows;
}
