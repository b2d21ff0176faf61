import type pg from 'pg';
import { PooledClient } from './pooled-client.ts';
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
    await client.query(client instanceof PooledClient ? client.begin : 'begin');
    const value = await work(client);
    await client.query('commit');
    return value;
  } catch (error) {
    if (isServerLost(error)) broken ??= error as Error;
    else {
      await client.query('rollback').catch((cause: Error) => {
        broken ??= cause;
      });
    }
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}

/** SQLSTATE of a write to a server that only follows another, as one does after a failover. */
const READ_ONLY_SQLSTATE = '25006';

/** Message of the driver where no answer came in time; a rollback would wait for one as well. */
const NO_ANSWER_MESSAGE = 'Query read timeout';

/** Returns whether the server behind the connection is no longer the one to talk to. */
function isServerLost(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return code === READ_ONLY_SQLSTATE || message === NO_ANSWER_MESSAGE;
}
