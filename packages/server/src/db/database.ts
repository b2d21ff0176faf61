import { Pool, type PoolClient, TypeOverrides } from 'pg';
import { PooledClient } from './pooled-client.ts';

export interface Database {
  readonly pool: Pool;
  /** Waits for running queries, then closes every connection. */
  close(): Promise<void>;
}

/** Runner of a single statement, inside a transaction or on its own. */
export type Queryable = Pool | PoolClient;

/** Ways to one database. */
export interface DatabaseAddress {
  /** Connection string for all that is done often. */
  readonly url: string;
  /** Connection string past any pooler, for notifications and migrations; the same if none is. */
  readonly directUrl: string;
  /** Whether `url` leads to a pooler in transaction mode. */
  readonly isPooled: boolean;
}

export interface DatabaseOptions {
  readonly poolSize: number;
  /**
   * Whether commits wait for the disk (the default). If not, a crash of PostgreSQL may lose the
   * last fraction of a second, which suits polls, claims and heartbeats: all can be repeated.
   */
  readonly durable?: boolean;
  /**
   * Whether a pooler in transaction mode stands before PostgreSQL. Then no statement is named,
   * every commit waits for the disk, and the server's timeouts hold in transactions only.
   */
  readonly isPooled?: boolean;
  /** Longest statement, its waiting for locks included; 0: no limit, as for migrations. */
  readonly statementTimeoutMs?: number;
  /** Time that the server gets beyond that timeout, before it is taken for gone. */
  readonly answerGraceMs?: number;
  /** Reports idle connections that broke; the pool replaces them by itself. */
  readonly onIdleError?: (error: Error) => void;
}

/** Type number of `int8`, which the driver would otherwise return as text. */
const INT8 = 20;

/** Time after which a transaction whose process hangs loses its row locks. */
const IDLE_IN_TRANSACTION_MS = 60_000;

/** Longest statement by default: far beyond any that is not stuck. */
const STATEMENT_TIMEOUT_MS = 60_000;

/** Time after a statement's timeout at which the server is taken for gone. */
const ANSWER_GRACE_MS = 10_000;

/** Idle time after which the kernel begins to ask whether the server is still there. */
const KEEP_ALIVE_MS = 10_000;

/** Age at which a connection is replaced, so that none stays with a server that was left. */
const MAX_CONNECTION_AGE_SECONDS = 30 * 60;

/** Opens a pool on a PostgreSQL >= 15. Connects lazily: nothing fails here. */
export function openDatabase(url: string, options: DatabaseOptions): Database {
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
      // Against a server that vanished without a word: the kernel would wait a quarter of an hour.
      query_timeout: statementTimeoutMs + (options.answerGraceMs ?? ANSWER_GRACE_MS),
    }),
    ...(isPooled && { Client: PooledClient }),
    ...(!durable && !isPooled && { options: '-c synchronous_commit=off' }),
  });
  // Without listeners a connection that breaks would end the process: an idle one by the pool, one
  // in use by its client, whose query fails by itself.
  pool.on('error', (error) => options.onIdleError?.(error));
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    pool,
    async close() {
      if (!pool.ending) await pool.end();
    },
  };
}

/**
 * bigint as number: credits, bytes and counts stay far below 2^53; beyond it is a broken invariant.
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
