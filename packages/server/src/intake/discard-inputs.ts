import type pg from 'pg';
import { deleteObjects } from '../storage/delete-objects.ts';
import type { Storage } from '../storage/storage.ts';
import type { StoredInput } from '../tasks/task.ts';

/**
 * Deletes stored files again, but for those of a task that a client may read: the commit that made
 * it may have been done though its answer was lost. That they are due is written first, so that no
 * task to come takes them, and the sweeper does after a crash.
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
