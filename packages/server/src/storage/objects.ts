import type pg from 'pg';
import type { ObjectKind } from './storage.ts';

export interface NewObject {
  readonly key: string;
  readonly kind: ObjectKind;
  readonly accountId: string;
  /** null until a task claims the file. */
  readonly taskId: string | null;
  readonly sizeBytes: number;
  readonly deleteAfter: Date;
}

/**
 * If no task has claimed an upload after this time, its request has failed and the file can be
 * deleted.
 */
export const UNCLAIMED_INPUT_LIFETIME_MS = 60 * 60 * 1000;

/** Registers files before their bytes are stored, so that after a crash the sweeper finds them. */
export async function registerObjects(
  db: pg.Pool | pg.PoolClient,
  objects: readonly NewObject[],
): Promise<void> {
  await db.query({
    name: 'register-objects',
    text: `insert into objects (key, kind, account_id, task_id, size_bytes, delete_after)
           select * from unnest($1::text[], $2::text[], $3::uuid[], $4::uuid[], $5::bigint[], $6::timestamptz[])`,
    values: [
      objects.map((each) => each.key),
      objects.map((each) => each.kind),
      objects.map((each) => each.accountId),
      objects.map((each) => each.taskId),
      objects.map((each) => each.sizeBytes),
      objects.map((each) => each.deleteAfter),
    ],
  });
}

/** A file of a task to register. */
interface NewTaskObject extends Omit<NewObject, 'accountId' | 'taskId'> {
  readonly taskId: string;
  /** Id of the watermark that the file has, in hex. */
  readonly watermark?: string | undefined;
}

/**
 * Registers a file of a task, unless the task has ended: the end of a task schedules the deletion
 * of its registered files, and so would miss this one. Safe to repeat.
 * @returns false if the task has ended or no longer exists
 */
export async function registerTaskObject(
  db: pg.Pool,
  { key, kind, taskId, sizeBytes, deleteAfter, watermark }: NewTaskObject,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'register-task-object',
    // This row lock waits while another transaction ends the task, and makes later ones wait for
    // us.
    text: `with running as (
        select id, account_id from tasks where id = $1 and status in ('PENDING', 'PROCESSING') for key share
      ), marked as (
        insert into watermarks (id, task_id) select $6::bytea, id from running where $6::bytea is not null
        on conflict (id) do nothing
      )
      insert into objects (key, kind, account_id, task_id, size_bytes, delete_after)
      select $2, $3, account_id, id, $4, $5 from running
      on conflict (key) do update set size_bytes = excluded.size_bytes`,
    values: [
      taskId,
      key,
      kind,
      sizeBytes,
      deleteAfter,
      watermark === undefined ? null : Buffer.from(watermark, 'hex'),
    ],
  });
  return rowCount === 1;
}

/** Removes the registrations of files that have been deleted. */
export async function forgetObjects(db: pg.Pool, keys: readonly string[]): Promise<void> {
  await db.query({
    name: 'forget-objects',
    text: 'delete from objects where key = any($1::text[])',
    values: [keys],
  });
}
