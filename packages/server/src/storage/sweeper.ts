import type pg from 'pg';
import { underLease } from '../db/lease.ts';
import { deleteObjects } from './delete-objects.ts';
import { SCRATCH_LIFETIME_MS } from './scratch.ts';
import type { Storage } from './storage.ts';

export interface SweeperOptions {
  readonly pool: pg.Pool;
  readonly storage: Storage;
  readonly intervalMs?: number;
  /** Deletes what else is past its time, after each sweep. */
  readonly prune: () => Promise<void>;
  /** Reports a sweep that failed; the next one tries again. */
  readonly onError: (error: unknown) => void;
}

export interface Sweeper {
  /** Sweeps; resolves when everything due is gone, or at once if another process is sweeping. */
  sweepNow(): Promise<void>;
  /** Waits for a sweep under way. */
  stop(): Promise<void>;
}

/** Pause between two sweeps. */
const SWEEP_INTERVAL_MS = 60_000;

/** Objects that are deleted together: the most that a bucket deletes in one request. */
const BATCH_SIZE = 1000;

/** Name of the lease under which one process sweeps. */
const SWEEP_LEASE = 'sweep';

/**
 * Deletes what is due, now and then. Any number of processes may run one: a lease lets one sweep
 * at a time.
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
  // Of this machine, which the one that holds the lease may not be on.
  await storage.scratch.sweep(new Date(Date.now() - SCRATCH_LIFETIME_MS));
  await underLease(pool, SWEEP_LEASE, async () => {
    await sweepObjects(pool, storage);
    await prune();
  });
}

interface DueObject {
  readonly key: string;
  /** Time as text, because a Date has no microseconds. */
  readonly due: string;
}

/** Deletes all objects that are due. @throws the first failure, after the others were deleted. */
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
