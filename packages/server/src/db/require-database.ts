import type { Pool } from 'pg';
import { type DatabaseAddress, openDatabase } from './database.ts';

/**
 * A database that the service cannot work with, for a reason the operator can mend: the sentence is
 * all they are shown.
 */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  /** An SQLSTATE, or the socket's. */
  readonly code: unknown;

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.code = (cause as { readonly code?: unknown } | undefined)?.code;
  }
}

/** Refusal of PgBouncer, which knows few of the settings that a connection may start with. */
const POOLER_REFUSAL_PATTERN = /unsupported startup parameter/;

/**
 * Checks that the PostgreSQL of the operator answers: a pool by itself connects only at its first
 * query.
 * @param variable that the URL came from.
 * @throws DatabaseError without the URL, which holds a password.
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
 * Checks the way to PostgreSQL past its pooler, where there is one.
 * @throws as `requireDatabase`
 */
export async function requireDirect({ url, directUrl }: DatabaseAddress): Promise<void> {
  if (directUrl === url) return;
  const direct = openDatabase(directUrl, { poolSize: 1 });
  try {
    await requireDatabase(direct.pool, 'DATABASE_DIRECT_URL');
  } finally {
    await direct.close();
  }
}

/** A name with several addresses fails once for each, and says nothing of its own. */
function reasonOf(error: unknown): string {
  return error instanceof AggregateError ? reasonOf(error.errors[0]) : (error as Error).message;
}
