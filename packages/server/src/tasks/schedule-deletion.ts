import type { Transaction } from '../db/transaction.ts';
import type { StoredOutput } from './task.ts';

/**
 * Schedules the deletion of the files of a task that ends: inputs after the retention time,
 * delivered outputs when their links expire, all other files at once.
 */
export async function scheduleDeletion(
  client: Transaction,
  taskId: string,
  delivered: readonly StoredOutput[],
  inputRetentionMs: number,
): Promise<void> {
  const kept = delivered.flatMap(({ objectKey, thumbnailKey, expiresAt: until }) =>
    [objectKey, thumbnailKey].filter((key) => key !== undefined).map((key) => ({ key, until })),
  );
  await client.query({
    name: 'schedule-deletion',
    text: `update objects set
        task_id = $1,
        delete_after = case
          when kind = 'input' then now() + $4::float8 * interval '1 ms'
          else coalesce((select until from unnest($2::text[], $3::timestamptz[]) as d (key, until)
            where d.key = objects.key), now())
        end
      where task_id = $1 or key = any($2)`,
    values: [taskId, kept.map(({ key }) => key), kept.map(({ until }) => until), inputRetentionMs],
  });
}
