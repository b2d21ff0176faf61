import type { Database } from '../db/database.ts';
import { ACCOUNT_COLUMNS, type Account } from './account.ts';
import { normaliseEmail } from './email.ts';

/**
 * Finds an account by its email. @throws AppError INVALID_REQUEST if the email is not a valid
 * address.
 */
export async function findAccountByEmail(db: Database, email: string): Promise<Account | null> {
  return find(db, 'where email = $1', [normaliseEmail(email)]);
}

/** Finds an account. @param id a well-formed UUID. */
export function findAccountById(db: Database, id: string): Promise<Account | null> {
  return find(db, 'where id = $1', [id]);
}

/** Finds the oldest owner of this installation; null before the first start. */
export function findOwner(db: Database): Promise<Account | null> {
  return find(db, `where role = 'owner' order by created_at, id limit 1`, []);
}

async function find(db: Database, where: string, values: readonly string[]): Promise<Account | null> {
  const { rows } = await db.pool.query<Account>(`select ${ACCOUNT_COLUMNS} from accounts ${where}`, [
    ...values,
  ]);
  return rows[0] ?? null;
}
