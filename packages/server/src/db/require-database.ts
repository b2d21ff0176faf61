import type { Pool } from 'pg';

/**
 * A database that the service cannot work with, for a reason the operator can mend: the sentence is
 * all they are shown.
 */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  /** An SQLSTATE, or the socket's. */
  readonly code: unknown;

  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.code = (cause as { readonly code?: unknown }).code;
  }
}

/**
 * Checks that the PostgreSQL of the operator answers: a pool by itself connects only at its first
 * query.
 * @throws DatabaseError without the URL, which holds a password.
 */
export async function requireDatabase(pool: Pool): Promise<void> {
  try {
    await pool.query('select 1');
  } catch (error) {
    throw new DatabaseError(`DATABASE_URL cannot be used: ${reasonOf(error)}.`, error);
  }
}

/** A name with several addresses fails once for each, and says nothing of its own. */
function reasonOf(error: unknown): string {
  return error instanceof AggregateError ? reasonOf(error.errors[0]) : (error as Error).message;
}
