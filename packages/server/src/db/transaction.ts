import type pg from 'pg';
import { retryDeadlocks } from './retry-deadlocks.ts';

/** A connection with a transaction open on it. */
export type Transaction = pg.PoolClient;

/**
 * Runs `work` in one transaction on one connection: committed when it resolves, rolled back when it
 * throws. A process killed in between leaves nothing behind, because PostgreSQL rolls back what its
 * connection did not commit. After a deadlock `work` runs again.
 */
export function inTransaction<T>(pool: pg.Pool, work: (client: Transaction) => Promise<T>): Promise<T> {
  return retryDeadlocks(() => runOnce(pool, work));
}

async function runOnce<T>(pool: pg.Pool, work: (client: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection that dies between two queries reports here, and the next query fails by itself.
  const onError = (error: Error): void => {
    broken = error;
  };
  client.on('error', onError);
  try {
    await client.query('begin');
    const value = await work(client);
    await client.query('commit');
    return value;
  } catch (error) {
    await client.query('rollback').catch((cause: Error) => {
      broken ??= cause;
    });
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}
