import type { Database } from '../../db/database.ts';
import { notifyInBackground } from '../../db/notifications.ts';
import { MAX_ENGINE_DEATHS } from '../return-task.ts';
import { IS_LEASED_PART, leasedPartValues, type PartLease } from './part.ts';

export interface ReturnPartOptions {
  /**
   * How the engine process died on its own, if it did: with this part alone, which counts against
   * it, or with another job beside it, which makes it a suspect.
   */
  readonly engineDied: 'alone' | 'beside' | null;
  /** Message of the part's WORKER_LOST, should this be its last engine. */
  readonly lostMessage: string;
}

/**
 * Gives a part back that this worker cannot finish. The leader is to be told if it failed.
 * @returns `returned`: WAITING again; `failed`: it killed its last engine, WORKER_LOST; `lost`: it
 * was no longer this worker's
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
