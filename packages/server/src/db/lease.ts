import { randomUUID } from 'node:crypto';
import type pg from 'pg';

/** Time after which the lease of a dead process is free. */
const LEASE_MS = 30_000;

/** Interval of renewals, so short that one may fail. */
const RENEWAL_INTERVAL_MS = 10_000;

/**
 * Runs `work` unless another process holds the lease with this name. Uses a row, because an
 * advisory lock belongs to a connection and does not work through a pooler. A process that cannot
 * reach the database for long loses the lease without notice, so `work` must be safe to run twice.
 * @returns whether `work` ran here.
 */
export async function underLease(pool: pg.Pool, name: string, work: () => Promise<void>): Promise<boolean> {
  const holder = randomUUID();
  if (!(await take(pool, name, holder))) return false;
  const renewing = setInterval(() => void renew(pool, name, holder).catch(() => {}), RENEWAL_INTERVAL_MS);
  try {
    await work();
  } finally {
    clearInterval(renewing);
    // If this fails, the lease expires by itself.
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

/** Renews a lease. Never takes an expired lease again, because another process may have it. */
async function renew(pool: pg.Pool, name: string, holder: string): Promise<void> {
  await pool.query({
    name: 'renew-lease',
    text: `update leases set until = clock_timestamp() + $3::float8 * interval '1 ms'
      where name = $1 and holder = $2`,
    values: [name, holder, LEASE_MS],
  });
}
