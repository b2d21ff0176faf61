import type pg from 'pg';
import { deleteObjects } from '../storage/delete-objects.ts';
import type { Storage } from '../storage/storage.ts';
import type { StoredInput } from '../tasks/task.ts';

/**
 * Deletes stored files, except those of a task that a client may see: that task may have been
 * committed although the answer of the database was lost. First marks the files as due, so that no
 * later task claims them and the sweeper deletes them after a crash.
 */
export async function discardInputs(
  inputs: readonly StoredInput[],
  { pool, storage }: { readonly pool: pg.Pool; readonly storage: Storage },
): Promise<void> {
  const { rows } = await pool.query<{ key: string }>(
    `update objects o set delete_after = now()
     where key = any($1)
       and (task_id is null or exists (select 1 from tasks t where t.id = o.task_id and t.hidden))
     returning key`,
    [inputs.map((input) => input.objectKey)],
  );
  await deleteObjects(
    pool,
    storage,
    rows.map(({ key }) => key),
  );
}
