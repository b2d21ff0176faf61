import type pg from 'pg';
import type { ObjectKind } from './storage.ts';

export interface NewObject {
  readonly key: string;
  readonly kind: ObjectKind;
  readonly accountId: string;
  /** null until a task claims it. */
  readonly taskId: string | null;
  readonly sizeBytes: number;
  readonly deleteAfter: Date;
}

/** An upload that no task claimed within this time belongs to a request that died. */
export const UNCLAIMED_INPUT_LIFETIME_MS = 60 * 60 * 1000;

/** Registers files before their bytes are stored, so that the sweeper finds what a crash leaves. */
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

/** Forgets files that are deleted already. */
export async function forgetObjects(db: pg.Pool, keys: readonly string[]): Promise<void> {
  await db.query({
    name: 'forget-objects',
    text: 'delete from objects where key = any($1::text[])',
    values: [keys],
  });
}
