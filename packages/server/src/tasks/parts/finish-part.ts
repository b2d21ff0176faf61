import type { Database } from '../../db/database.ts';
import { IS_LEASED_PART, leasedPartValues, type PartLease, type PartOutcome } from './part.ts';

/**
 * Ends a part with its worker's outcome. Only the first outcome counts; repeating it changes
 * nothing. The caller must then notify the leader (`PartNews`).
 * @param db opened with `durable: false`, because the leader commits its own result later
 * @returns false if the part was given to another worker or its task has ended; the caller must
 * delete its
 *   files then
 */
export async function finishPart(db: Database, lease: PartLease, outcome: PartOutcome): Promise<boolean> {
  const isDone = outcome.status === 'DONE';
  const { rowCount } = await db.pool.query({
    name: 'finish-part',
    text: `update task_parts set
        status = $5, lease_until = null, result = $6::jsonb, error_code = $7, error_message = $8
      where ${IS_LEASED_PART} and status in ('RUNNING', $5)`,
    values: [
      ...leasedPartValues(lease),
      outcome.status,
      isDone ? JSON.stringify(outcome.result) : null,
      isDone ? null : outcome.code,
      isDone ? null : outcome.message,
    ],
  });
  return rowCount === 1;
}
