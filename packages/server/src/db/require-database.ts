import type { Pool } from 'pg';
import { type DatabaseAddress, openDatabase } from './database.ts';

/** Database problem that the operator can fix. Only its message is shown. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  /** SQLSTATE, or the error code of the socket. */
  readonly code: unknown;

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.code = (cause as { readonly code?: unknown } | undefined)?.code;
  }
}

/**
 * Message with which PgBouncer refuses a connection, because it supports only few startup settings.
 */
const POOLER_REFUSAL_PATTERN = /unsupported startup parameter/;

/**
 * Checks that the operator's PostgreSQL answers, because a pool connects only at its first query.
 * @param variable name of the environment variable with the URL
 * @throws DatabaseError, whose message leaves out the URL because of the password in it.
 */
export async function requireDatabase(pool: Pool, variable = 'DATABASE_URL'): Promise<void> {
  try {
    await pool.query('select 1');
  } catch (error) {
    const reason = reasonOf(error);
    const hint = POOLER_REFUSAL_PATTERN.test(reason)
      ? ' Behind a pooler in transaction mode set GUISE_DATABASE_POOLED=1.'
      : '';
    throw new DatabaseError(`${variable} cannot be used: ${reason}.${hint}`, error);
  }
}

/**
 * Checks that PostgreSQL answers at its direct URL, if that differs from the URL of the pool.
 * @throws as `requireDatabase`
 */
export async function requireDirect({ url, directUrl }: DatabaseAddress): Promise<void> {
  if (directUrl === url) return;
  await using direct = openDatabase(directUrl, { poolSize: 1 });
  await requireDatabase(direct.pool, 'DATABASE_DIRECT_URL');
}

/**
 * Returns the message of an error. For a host name with several addresses, Node.js throws an error
 * without a message that contains one error for each address; then the message of the first is
 * used.
 */
function reasonOf(error: unknown): string {
  return error instanceof AggregateError ? reasonOf(error.errors[0]) : (error as Error).message;
}
