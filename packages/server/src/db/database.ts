import { Pool, type PoolClient, TypeOverrides } from 'pg';
import { PooledClient } from './pooled-client.ts';

export interface Database {
  readonly pool: Pool;
  /** Waits for running queries, then closes every connection. */
  close(): Promise<void>;
}

/** Runner of a single statement, inside a transaction or on its own. */
export type Queryable = Pool | PoolClient;

/** Addresses of one database. */
export interface DatabaseAddress {
  /** Connection string for frequent work. It may lead to a pooler. */
  readonly url: string;
  /**
   * Connection string that bypasses any pooler, for notifications and migrations. Same as `url` if
   * there is no pooler.
   */
  readonly directUrl: string;
  /** Whether `url` leads to a pooler in transaction mode. */
  readonly isPooled: boolean;
}

export interface DatabaseOptions {
  readonly poolSize: number;
  /**
   * Whether commits wait for the disk (the default). If not, a crash of PostgreSQL may lose the
   * last fraction of a second. This is harmless for polls, claims and heartbeats, which can be
   * repeated.
   */
  readonly durable?: boolean;
  /**
   * Whether a pooler in transaction mode is in front of PostgreSQL. If so, statements have no
   * names, every commit waits for the disk, and the server's timeouts apply only in transactions.
   */
  readonly isPooled?: boolean;
  /**
   * Longest time of a statement, including its wait for locks; 0 means no limit, as for migrations.
   */
  readonly statementTimeoutMs?: number;
  /** Time after the statement timeout at which the server is considered gone. */
  readonly answerGraceMs?: number;
  /** Reports a broken idle connection. The pool replaces it by itself. */
  readonly onIdleError?: (error: Error) => void;
}

/** Type number of `int8`, which the driver would otherwise return as text. */
const INT8 = 20;

/**
 * Idle time after which a transaction is ended, so that a process that hangs does not keep its row
 * locks.
 */
const IDLE_IN_TRANSACTION_MS = 60_000;

/** Default for the longest time of a statement. Only a statement that hangs takes so long. */
const STATEMENT_TIMEOUT_MS = 60_000;

/** Default for the time after a statement's timeout at which the server is considered gone. */
const ANSWER_GRACE_MS = 10_000;

/** Idle time after which the kernel checks whether the server is still there. */
const KEEP_ALIVE_MS = 10_000;

/**
 * Age at which a connection is replaced, so that no connection stays with the old server after a
 * failover.
 */
const MAX_CONNECTION_AGE_SECONDS = 30 * 60;

/**
 * Opens a pool for PostgreSQL 15 or newer. It connects at the first query, so nothing fails here.
 */
export function openDatabase(url: string, options: DatabaseOptions): Database & AsyncDisposable {
  const { isPooled = false, durable = true, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  const pool = new Pool({
    connectionString: url,
    max: options.poolSize,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    maxLifetimeSeconds: MAX_CONNECTION_AGE_SECONDS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    types: typesWithSafeIntegers(),
    ...(statementTimeoutMs > 0 && {
      statement_timeout: statementTimeoutMs,
      // Needed if the server disappears without closing the connection. The kernel alone would wait
      // for a quarter of an hour.
      query_timeout: statementTimeoutMs + (options.answerGraceMs ?? ANSWER_GRACE_MS),
    }),
    ...(isPooled && { Client: PooledClient }),
    ...(!durable && !isPooled && { options: '-c synchronous_commit=off' }),
  });
  // Without these listeners, a broken connection would end the process. The pool emits the error of
  // an idle connection, the client that of a connection in use, whose query fails by itself.
  pool.on('error', (error) => options.onIdleError?.(error));
  pool.on('connect', (client) => client.on('error', () => {}));
  const close = async (): Promise<void> => {
    if (!pool.ending) await pool.end();
  };
  return {
    pool,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * Returns types that parse a bigint as a number. Credits, bytes and counts are far below 2^53; a
 * larger value is a bug.
 */
function typesWithSafeIntegers(): TypeOverrides {
  const types = new TypeOverrides();
  types.setTypeParser(INT8, (text: string) => {
    const value = Number(text);
    if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} is beyond 2^53`);
    return value;
  });
  return types;
}
