import { Kysely, PostgresDialect } from 'kysely';
import { Pool, type PoolClient, TypeOverrides } from 'pg';
import type { Schema } from './schema.ts';

export interface Database {
  readonly kysely: Kysely<Schema>;
  /** Pool for named statements on hot paths. */
  readonly pool: Pool;
  /** Waits for running queries, then closes every connection. */
  close(): Promise<void>;
}

/** Runner of a single statement, inside a transaction or on its own. */
export type Queryable = Pool | PoolClient;

export interface DatabaseOptions {
  readonly poolSize: number;
  /**
   * Whether commits wait for the disk (the default). If not, a crash of PostgreSQL may lose the
   * last fraction of a second, which suits polls, claims and heartbeats: all can be repeated.
   */
  readonly durable?: boolean;
  /** Reports idle connections that broke; the pool replaces them by itself. */
  readonly onIdleError?: (error: Error) => void;
}

/** Type number of `int8`, which the driver would otherwise return as text. */
const INT8 = 20;
/** A transaction whose process hangs must not keep its row locks for ever. */
const IDLE_IN_TRANSACTION_MS = 60_000;

/** Opens a pool on a PostgreSQL >= 15. Connects lazily: nothing fails here. */
export function openDatabase(url: string, options: DatabaseOptions): Database {
  const pool = new Pool({
    connectionString: url,
    max: options.poolSize,
    connectionTimeoutMillis: 10_000,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    types: typesWithSafeIntegers(),
    ...(options.durable === false ? { options: '-c synchronous_commit=off' } : {}),
  });
  // Without a listener a connection that breaks while idle would end the process.
  pool.on('error', (error) => options.onIdleError?.(error));
  const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return {
    kysely,
    pool,
    async close() {
      // kysely ends the pool only if it ever used it.
      await kysely.destroy();
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
