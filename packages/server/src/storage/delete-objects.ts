import type pg from 'pg';
import { forgetObjects } from './objects.ts';
import type { Storage } from './storage.ts';

/**
 * Deletes files, first their bytes and then their rows in the database. If the process crashes in
 * between, the sweeper repeats the deletion.
 * @throws the first failure, after all other files are deleted. Files that could not be deleted
 *   stay registered, so that the sweeper tries again.
 */
export async function deleteObjects(
  pool: pg.Pool,
  storage: Pick<Storage, 'deleteAll'>,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  const undeleted = await storage.deleteAll(keys);
  const left = new Set(undeleted.map(({ key }) => key));
  await forgetObjects(
    pool,
    keys.filter((key) => !left.has(key)),
  );
  const [first] = undeleted;
  if (first === undefined) return;
  throw new Error(`${undeleted.length} of ${keys.length} files could not be deleted`, { cause: first.cause });
}
