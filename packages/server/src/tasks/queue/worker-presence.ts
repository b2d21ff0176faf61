import { randomUUID } from 'node:crypto';
import os from 'node:os';
import type { Database } from '../../db/database.ts';
import type { LanePace } from './lane-pace.ts';

export interface WorkerPresence {
  readonly id: string;
  readonly host: string;
  readonly slots: number;
  readonly memoryBytes: number;
  /** Average load of the machine over one minute, per core. */
  readonly load: number;
  readonly startedAt: Date;
  readonly seenAt: Date;
}

/** Interval at which a worker records that it is alive. */
const INTERVAL_MS = 10_000;

/** Records at intervals that this worker is alive, until stopped. */
export function announceWorker(
  db: Database,
  {
    slots,
    pace,
    onError,
  }: { readonly slots: number; readonly pace: LanePace; readonly onError: (error: unknown) => void },
): { stop(): Promise<void> } {
  const id = randomUUID();
  const startedAt = new Date();
  let underWay: Promise<unknown> = Promise.resolve();
  const say = (): void => {
    const values = [
      id,
      os.hostname(),
      slots,
      process.memoryUsage.rss(),
      os.loadavg()[0]! / os.availableParallelism(),
      startedAt,
      pace.secondsPerCredit('short'),
      pace.secondsPerCredit('long'),
    ];
    underWay = db.pool
      .query(
        `with gone as (delete from workers where seen_at < now() - interval '1 day')
         insert into workers (id, host, slots, memory_bytes, load, started_at, short_seconds_per_credit, long_seconds_per_credit)
         values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (id) do update set memory_bytes = $4, load = $5, seen_at = now(),
           short_seconds_per_credit = $7, long_seconds_per_credit = $8`,
        values,
      )
      .catch(onError);
  };
  const timer = setInterval(say, INTERVAL_MS);
  timer.unref();
  say();
  return {
    async stop() {
      clearInterval(timer);
      await underWay;
      await db.pool.query('delete from workers where id = $1', [id]).catch(onError);
    },
  };
}

/** SQL condition for workers that were alive in the last half minute. */
const IS_THERE = `seen_at > now() - interval '30 s'`;

/**
 * Returns a page of the workers that were alive in the last half minute, newest first. @param after
 * id of the last worker of the previous page.
 */
export async function listWorkers(
  db: Database,
  { after, limit }: { readonly after?: string; readonly limit: number },
): Promise<WorkerPresence[]> {
  const { rows } = await db.pool.query<WorkerPresence>(
    `select id, host, slots, memory_bytes as "memoryBytes", load, started_at as "startedAt", seen_at as "seenAt"
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
