import { randomUUID } from 'node:crypto';
import type pg from 'pg';

/** Time after which the lease of a process that died is free. */
const LEASE_MS = 30_000;

/** Pause between two renewals: one may fail. */
const RENEWAL_INTERVAL_MS = 10_000;

/**
 * Does `work` unless another process does what has the same name. A row instead of an advisory
 * lock, which belongs to a connection and is lost behind a pooler. A process that cannot reach the
 * database for long loses the lease without notice, so `work` must do no harm when done twice.
 * @returns whether it was done here.
 */
export async function underLease(pool: pg.Pool, name: string, work: () => Promise<void>): Promise<boolean> {
  const holder = randomUUID();
  if (!(await take(pool, name, holder))) return false;
  const renewing = setInterval(() => void renew(pool, name, holder).catch(() => {}), RENEWAL_INTERVAL_MS);
  try {
    await work();
  } finally {
    clearInterval(renewing);
    // Where this fails, the lease ends by itself.
    await pool.query('delete from leases where name = $1 and holder = $2', [name, holder]).catch(() => {});
  }
  return true;
}

async function take(pool: pg.Pool, name: string, holder: string): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'take-lease',
    text: `insert into leases (name, holder, until)
      values ($1, $2, clock_timestamp() + $3::float8 * interval '1 ms')
      on conflict (name) do update set holder = excluded.holder, until = excluded.until
      where leases.until <= clock_timestamp()`,
    values: [name, holder, LEASE_MS],
  });
  return rowCount === 1;
}

/** Never takes a lease that ended: a renewal that comes late must not bring it back. */
async function renew(pool: pg.Pool, name: string, holder: string): Promise<void> {
  await pool.query({
    name: 'renew-lease',
    text: `update leases set until = clock_timestamp() + $3::float8 * interval '1 ms'
      where name = $1 and holder = $2`,
    values: [name, holder, LEASE_MS],
  });
}
