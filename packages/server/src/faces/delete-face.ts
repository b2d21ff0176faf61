import type { Database } from '../db/database.ts';
import { deleteObjects } from '../storage/delete-objects.ts';
import type { Storage } from '../storage/storage.ts';

/**
 * Deletes a face of an account with its photos. Tasks that use it have copies, which go with them.
 * @returns the number of deleted photos; null if the account has no such face
 */
export async function deleteFace(
  { pool }: Database,
  storage: Pick<Storage, 'deleteAll'>,
  accountId: string,
  id: string,
): Promise<number | null> {
  const { rows } = await pool.query<{ keys: string[] }>(
    `with gone as (
       delete from faces where id = $1 and account_id = $2
       returning array(select photo ->> 'objectKey' from jsonb_array_elements(photos) as photo) as keys
     ), due as (
       update objects set delete_after = now() from gone where key = any(gone.keys)
     ) select keys from gone`,
    [id, accountId],
  );
  const [gone] = rows;
  if (gone === undefined) return null;
  await deleteObjects(pool, storage, gone.keys);
  return gone.keys.length;
}
