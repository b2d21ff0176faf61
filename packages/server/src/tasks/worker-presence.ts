import { randomUUID } from 'node:crypto';
import os from 'node:os';
import type { Database } from '../db/database.ts';

export interface WorkerPresence {
  readonly id: string;
  readonly host: string;
  readonly slots: number;
  readonly memoryBytes: number;
  /** Of the machine, over one minute, per core. */
  readonly load: number;
  readonly startedAt: Date;
  readonly seenAt: Date;
}

const INTERVAL_MS = 10_000;

/** Says now and then that this worker is there, until stopped. */
export function announceWorker(
  db: Database,
  { slots, onError }: { readonly slots: number; readonly onError: (error: unknown) => void },
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
    ];
    underWay = db.pool
      .query(
        `with gone as (delete from workers where seen_at < now() - interval '1 day')
         insert into workers (id, host, slots, memory_bytes, load, started_at) values ($1, $2, $3, $4, $5, $6)
         on conflict (id) do update set memory_bytes = $4, load = $5, seen_at = now()`,
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

/** Workers heard of in the last half minute, oldest first. */
export async function listWorkers(db: Database): Promise<WorkerPresence[]> {
  const { rows } = await db.pool.query<WorkerPresence>(
    `select id, host, slots, memory_bytes as "memoryBytes", load, started_at as "startedAt", seen_at as "seenAt"
     from workers where seen_at > now() - interval '30 s' order by started_at, id`,
  );
  return rows;
}
