import type pg from 'pg';
import { forgetObjects } from './objects.ts';
import { SCRATCH_LIFETIME_MS, type Storage } from './storage.ts';

export interface SweeperOptions {
  readonly pool: pg.Pool;
  readonly storage: Storage;
  readonly intervalMs?: number;
  /** Further deletions of what is past its time, done by the same process in the same turn. */
  readonly prune: () => Promise<void>;
  /** Told of a sweep that failed; the next one tries again. */
  readonly onError: (error: unknown) => void;
}

export interface Sweeper {
  /** Resolves when everything that was due is gone, or at once where another process is sweeping. */
  sweepNow(): Promise<void>;
  /** Waits for a sweep under way. */
  stop(): Promise<void>;
}

const DEFAULT_INTERVAL_MS = 60_000;
const BATCH_SIZE = 200;
/** Any constant: it names this lock among the advisory ones of the database. */
const SWEEP_LOCK = 7_366_201;

/** Deletes what is due, now and then. Any number of processes may run one: an advisory lock lets one sweep at a time. */
export function startSweeper(options: SweeperOptions): Sweeper {
  let underWay: Promise<void> = Promise.resolve();
  const sweepNow = (): Promise<void> => {
    underWay = underWay.then(() => sweepAlone(options));
    return underWay;
  };
  const tick = (): void => {
    sweepNow().catch((error: unknown) => {
      underWay = Promise.resolve();
      options.onError(error);
    });
  };
  const timer = setInterval(tick, options.intervalMs ?? DEFAULT_INTERVAL_MS);
  timer.unref();
  tick();
  return {
    sweepNow,
    async stop() {
      clearInterval(timer);
      await underWay.catch(() => {});
    },
  };
}

async function sweepAlone({ pool, storage, prune }: SweeperOptions): Promise<void> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const { rows } = await client.query<{ won: boolean }>('select pg_try_advisory_lock($1) as won', [
      SWEEP_LOCK,
    ]);
    if (!rows[0]!.won) return;
    try {
      await sweepObjects(pool, storage);
      await prune();
      await storage.sweepScratch(new Date(Date.now() - SCRATCH_LIFETIME_MS));
    } finally {
      await client.query('select pg_advisory_unlock($1)', [SWEEP_LOCK]);
    }
  } catch (error) {
    // A connection that may still hold the lock must not go back to the pool.
    broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Bytes first, then the row: a crash in between only means that the same delete is done again. */
async function sweepObjects(pool: pg.Pool, storage: Storage): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ key: string }>({
      name: 'sweep-objects',
      text: 'select key from objects where delete_after <= now() order by delete_after limit $1',
      values: [BATCH_SIZE],
    });
    if (rows.length === 0) return;
    const keys = rows.map((row) => row.key);
    for (const key of keys) await storage.delete(key);
    await forgetObjects(pool, keys);
  }
}
