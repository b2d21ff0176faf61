import type { Database } from '../db/database.ts';
import { ACCOUNT_COLUMNS, type Account, type AccountRow, toAccount } from './account.ts';
import { normaliseEmail } from './email.ts';

/** @throws AppError INVALID_REQUEST when it is not an email address. */
export async function findAccountByEmail(db: Database, email: string): Promise<Account | null> {
  const row = await db.kysely
    .selectFrom('accounts')
    .select(ACCOUNT_COLUMNS)
    .where('email', '=', normaliseEmail(email))
    .executeTakeFirst();
  return row === undefined ? null : toAccount(row as AccountRow);
}

/** @param id a well-formed uuid. */
export async function findAccountById(db: Database, id: string): Promise<Account | null> {
  const row = await db.kysely
    .selectFrom('accounts')
    .select(ACCOUNT_COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toAccount(row as AccountRow);
}

/** The oldest owner of this installation; null before the first start has made one. */
export async function findOwner(db: Database): Promise<Account | null> {
  const row = await db.kysely
    .selectFrom('accounts')
    .select(ACCOUNT_COLUMNS)
    .where('role', '=', 'owner')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : toAccount(row as AccountRow);
}
