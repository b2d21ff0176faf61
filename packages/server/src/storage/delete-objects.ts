import type pg from 'pg';
import { forgetObjects } from './objects.ts';
import type { Storage } from './storage.ts';

/**
 * Deletes files and forgets them. Bytes go first, then the rows: a crash in between only means that
 * the same deletion is done again.
 * @throws the first failure, when all others are gone; what could not be deleted stays registered,
 * for the sweeper.
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
