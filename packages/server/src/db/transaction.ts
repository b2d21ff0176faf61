import type pg from 'pg';
import { PooledClient } from './pooled-client.ts';
import { retryDeadlocks } from './retry-deadlocks.ts';

/** A connection with a transaction open on it. */
export type Transaction = pg.PoolClient;

/**
 * Runs `work` in one transaction on one connection: committed when it resolves, rolled back when it
 * throws. If the process is killed, PostgreSQL rolls the transaction back. After a deadlock, `work`
 * runs again.
 */
export function inTransaction<T>(pool: pg.Pool, work: (client: Transaction) => Promise<T>): Promise<T> {
  return retryDeadlocks(() => runOnce(pool, work));
}

async function runOnce<T>(pool: pg.Pool, work: (client: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection that breaks between two queries emits this event. The next query then fails by
  // itself.
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

/** SQLSTATE of a write to a read-only server, which a server may become after a failover. */
const READ_ONLY_SQLSTATE = '25006';

/** The driver's message if no answer came in time. A rollback would get no answer, either. */
const NO_ANSWER_MESSAGE = 'Query read timeout';

/** Returns whether the server of this connection must not be used any more. */
function isServerLost(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return code === READ_ONLY_SQLSTATE || message === NO_ANSWER_MESSAGE;
}
