import type { Database } from '../../db/database.ts';
import { notifyInBackground } from '../../db/notifications.ts';
import { MAX_ENGINE_DEATHS } from '../return-task.ts';
import { IS_LEASED_PART, leasedPartValues, type PartLease } from './part.ts';

export interface ReturnPartOptions {
  /**
   * What the engine process ran when it died by itself; null if it did not die. `alone`: only this
   * part, so its death counts against the part. `beside`: another job as well, so the part is only
   * marked as suspect.
   */
  readonly engineDied: 'alone' | 'beside' | null;
  /** Message of WORKER_LOST, for a part that has now killed the maximum number of engines. */
  readonly lostMessage: string;
}

/**
 * Returns a part that this worker cannot finish. If the part has failed, the caller must notify the
 * leader.
 * @returns `returned`: the part is WAITING again; `failed`: it killed the maximum number of engines
 * and has
 *   failed with WORKER_LOST; `lost`: it did not belong to this worker any more
 */
export async function returnPart(
  db: Database,
  lease: PartLease,
  { engineDied, lostMessage }: ReturnPartOptions,
): Promise<'returned' | 'failed' | 'lost'> {
  const { rows } = await db.pool.query<{ readonly status: string; readonly lane: string }>({
    name: 'return-part',
    text: `update task_parts set
        status = case when engine_deaths + $5 < $7 then 'WAITING' else 'FAILED' end,
        engine_deaths = engine_deaths + $5,
        is_suspect = is_suspect or $6,
        lease_token = case when engine_deaths + $5 < $7 then null else lease_token end,
        lease_until = null,
        error_code = case when engine_deaths + $5 < $7 then null else 'WORKER_LOST' end,
        error_message = case when engine_deaths + $5 < $7 then null else $8 end
      where ${IS_LEASED_PART} and status = 'RUNNING'
      returning status, lane`,
    values: [
      ...leasedPartValues(lease),
      engineDied === 'alone' ? 1 : 0,
      engineDied === 'beside',
      MAX_ENGINE_DEATHS,
      lostMessage,
    ],
  });
  const [after] = rows;
  if (after === undefined) return 'lost';
  if (after.status === 'FAILED') return 'failed';
  notifyInBackground(db.pool, 'guise_parts', after.lane);
  return 'returned';
}
