import { randomUUID } from 'node:crypto';
import os from 'node:os';
import type { Database } from '../../db/database.ts';
import type { HeldNetwork, HeldNetworks } from '../../networks/held-networks.ts';
import { IS_THERE, NETWORK_WAIT_SECONDS, THERE_SECONDS } from '../present-workers.ts';
import type { LanePace } from './lane-pace.ts';

export interface WorkerPresence {
  readonly id: string;
  readonly host: string;
  readonly slots: number;
  readonly memoryBytes: number;
  /** Average load of the machine over one minute, per core. */
  readonly load: number;
  /** Networks of the operator that it holds; null if its version knows of none. */
  readonly networks: readonly HeldNetwork[] | null;
  readonly startedAt: Date;
  readonly seenAt: Date;
}

/** Interval at which a worker records that it is alive. */
const INTERVAL_MS = 10_000;

export interface PresenceOptions {
  readonly slots: number;
  readonly pace: LanePace;
  /** Networks of this machine. */
  readonly networks: HeldNetworks;
  readonly onError: (error: unknown) => void;
}

/** Records at intervals that this worker is alive, until stopped. */
export function announceWorker(
  db: Database,
  { slots, pace, networks, onError }: PresenceOptions,
): { stop(): Promise<void> } {
  const id = randomUUID();
  const startedAt = new Date();
  const heldAtMs = new Map<string, number>();
  let underWay: Promise<unknown> = Promise.resolve();
  const say = async (): Promise<void> => {
    const nowMs = performance.now();
    for (const key of networks.keys) heldAtMs.set(key, nowMs);
    for (const [key, atMs] of heldAtMs) if (nowMs - atMs > NETWORK_WAIT_SECONDS * 1000) heldAtMs.delete(key);
    const values = [
      id,
      os.hostname(),
      slots,
      process.memoryUsage.rss(),
      os.loadavg()[0]! / os.availableParallelism(),
      startedAt,
      pace.secondsPerCredit('short'),
      pace.secondsPerCredit('long'),
      JSON.stringify(networks.list),
      [...heldAtMs.keys()],
    ];
    await db.pool.query(
      `with gone as (delete from workers where seen_at < now() - interval '1 day')
       insert into workers
         (id, host, slots, memory_bytes, load, started_at, short_seconds_per_credit, long_seconds_per_credit, networks,
           recent_networks)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       on conflict (id) do update set memory_bytes = $4, load = $5, seen_at = now(),
         short_seconds_per_credit = $7, long_seconds_per_credit = $8, networks = $9, recent_networks = $10`,
      values,
    );
  };
  const sayNext = (): void => {
    underWay = underWay.then(say).catch(onError);
  };
  const timer = setInterval(sayNext, INTERVAL_MS);
  timer.unref();
  sayNext();
  // The worker is there even while it reads large files.
  const stopFollowing = networks.follow(INTERVAL_MS, sayNext);
  return {
    async stop() {
      clearInterval(timer);
      stopFollowing();
      await underWay;
      // The row stays for a while: tasks that need its networks wait for a worker that starts
      // again.
      await db.pool
        .query(`update workers set seen_at = now() - interval '${THERE_SECONDS} s' where id = $1`, [id])
        .catch(onError);
    },
  };
}

/**
 * Returns a page of the workers that were alive in the last half minute, newest first. @param after
 * id of the last worker of the previous page.
 */
export async function listWorkers(
  db: Database,
  { after, limit }: { readonly after?: string; readonly limit: number },
): Promise<WorkerPresence[]> {
  const { rows } = await db.pool.query<WorkerPresence>(
    `select id, host, slots, memory_bytes as "memoryBytes", load, started_at as "startedAt", seen_at as "seenAt", networks
     from workers
     where ${IS_THERE}
       and ($1::uuid is null or (started_at, id) < (select started_at, id from workers where id = $1))
     order by started_at desc, id desc limit $2`,
    [after, limit],
  );
  return rows;
}

/** Counts the workers that were alive in the last half minute, and their slots. */
export async function countWorkers(
  db: Database,
): Promise<{ readonly total: number; readonly slots: number }> {
  const { rows } = await db.pool.query<{ total: number; slots: number }>(
    `select count(*) as total, coalesce(sum(slots), 0)::bigint as slots from workers where ${IS_THERE}`,
  );
  return rows[0]!;
}
