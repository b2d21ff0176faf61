import type { Database } from '../db/database.ts';
import { notifyInBackground } from '../db/notifications.ts';
import { inTransaction } from '../db/transaction.ts';
import { endTask, type EndOptions } from './end-task.ts';
import { type Lease, lockLeasedTask } from './lock-task.ts';
import { transition } from './transition.ts';

/** Number of engine deaths after which a task fails (docs/decisions/0003#attempts). */
export const MAX_ENGINE_DEATHS = 3;

export interface ReturnOptions extends EndOptions {
  /**
   * Whether the engine process died by itself during this task. Only this counts against the task.
   */
  readonly engineDied: boolean;
}

/**
 * Returns a task that this worker cannot finish.
 * @returns `returned`: the task is PENDING again; `failed`: it killed the maximum number of engines
 * and has
 *   failed with WORKER_LOST; `lost`: it did not belong to this worker any more.
 */
export async function returnTask(
  db: Database,
  lease: Lease,
  options: ReturnOptions,
): Promise<'returned' | 'failed' | 'lost'> {
  const outcome = await inTransaction(db.pool, async (client) => {
    const before = await lockLeasedTask(client, lease);
    if (before === null) return null;
    const engineDeaths = before.engine_deaths + (options.engineDied ? 1 : 0);
    if (engineDeaths < MAX_ENGINE_DEATHS) {
      return transition(client, before, { to: 'PENDING', engineDeaths });
    }
    return endTask(
      client,
      before,
      {
        status: 'FAILED',
        code: 'WORKER_LOST',
        message: `The engine stopped unexpectedly ${MAX_ENGINE_DEATHS} times while working on this task.`,
      },
      options,
    );
  });
  if (outcome === null) return 'lost';
  if (outcome.status === 'FAILED') {
    notifyInBackground(db.pool, 'guise_finished', outcome.id);
    options.onEnded?.(outcome.id);
    return 'failed';
  }
  notifyInBackground(db.pool, 'guise_pending', outcome.lane);
  return 'returned';
}
