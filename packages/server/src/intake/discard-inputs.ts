import type pg from 'pg';
import { forgetObjects } from '../storage/objects.ts';
import type { Storage } from '../storage/storage.ts';
import type { StoredInput } from '../tasks/task.ts';

/** Deletes stored files again, where no task came of them. */
export async function discardInputs(
  inputs: readonly StoredInput[],
  { pool, storage }: { readonly pool: pg.Pool; readonly storage: Storage },
): Promise<void> {
  const keys = inputs.map((input) => input.objectKey);
  for (const key of keys) await storage.delete(key);
  await forgetObjects(pool, keys);
}
