import type pg from 'pg';
import { deleteObjects } from './delete-objects.ts';
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
  /**
   * Resolves when everything that was due is gone, or at once where another process is sweeping.
   */
  sweepNow(): Promise<void>;
  /** Waits for a sweep under way. */
  stop(): Promise<void>;
}

const DEFAULT_INTERVAL_MS = 60_000;
/** The most that a bucket deletes in one request. */
const BATCH_SIZE = 1000;
/** Any constant: it names this lock among the advisory ones of the database. */
const SWEEP_LOCK = 7_366_201;

/**
 * Deletes what is due, now and then. Any number of processes may run one: an advisory lock lets one
 * sweep at a time.
 */
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

interface DueObject {
  readonly key: string;
  /** As text: a Date has no microseconds. */
  readonly due: string;
}

/** @throws the first failure, when everything else that was due is gone. */
async function sweepObjects(pool: pg.Pool, storage: Storage): Promise<void> {
  const failures: unknown[] = [];
  // Those that cannot be deleted stay, so each batch begins behind the last one.
  let last: DueObject | undefined;
  do {
    const { rows } = await pool.query<DueObject>({
      name: 'sweep-objects',
      text: `select key, delete_after::text as due from objects
        where delete_after <= now() and ($2::text is null or (delete_after, key) > ($1::timestamptz, $2))
        order by delete_after, key limit $3`,
      values: [last?.due, last?.key, BATCH_SIZE],
    });
    await deleteObjects(
      pool,
      storage,
      rows.map(({ key }) => key),
    ).catch((error) => failures.push(error));
    last = rows.length < BATCH_SIZE ? undefined : rows.at(-1);
  } while (last !== undefined);
  if (failures.length > 0) throw failures[0];
}
