import type pg from 'pg';
import { underLease } from '../db/lease.ts';
import { deleteObjects } from './delete-objects.ts';
import { SCRATCH_LIFETIME_MS } from './scratch.ts';
import type { Storage } from './storage.ts';

export interface SweeperOptions {
  readonly pool: pg.Pool;
  readonly storage: Storage;
  readonly intervalMs?: number;
  /** Deletes other expired data after each sweep. */
  readonly prune: () => Promise<void>;
  /** Reports a sweep that failed. The next sweep tries again. */
  readonly onError: (error: unknown) => void;
}

export interface Sweeper {
  /**
   * Sweeps now. Resolves when everything that has expired is deleted, or at once if another process
   * is sweeping.
   */
  sweepNow(): Promise<void>;
  /** Starts no further sweep, and waits for the running one. */
  stop(): Promise<void>;
}

/** Pause between two sweeps. */
const SWEEP_INTERVAL_MS = 60_000;

/**
 * Number of objects that are deleted together. A bucket deletes at most this many in one request.
 */
const BATCH_SIZE = 1000;

/** Name of the lease under which one process sweeps. */
const SWEEP_LEASE = 'sweep';

/**
 * Deletes expired objects at regular intervals. Many processes may run a sweeper: a lease ensures
 * that only one sweeps at a time.
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
  const timer = setInterval(tick, options.intervalMs ?? SWEEP_INTERVAL_MS);
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
  // Every process sweeps the scratch files of its own machine, because the holder of the lease may
  // run on another one.
  await storage.scratch.sweep(new Date(Date.now() - SCRATCH_LIFETIME_MS));
  await underLease(pool, SWEEP_LEASE, async () => {
    await sweepObjects(pool, storage);
    await prune();
  });
}

interface DueObject {
  readonly key: string;
  /** Time as text, because a JavaScript Date has no microseconds. */
  readonly due: string;
}

/**
 * Deletes all objects that are due.
 * @throws the first failure, after all others were deleted.
 */
async function sweepObjects(pool: pg.Pool, storage: Storage): Promise<void> {
  const failures: unknown[] = [];
  // Objects that cannot be deleted stay in the table, so each batch begins after the last object of
  // the batch before.
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
