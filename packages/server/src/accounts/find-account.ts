import type { Database } from '../db/database.ts';
import { ACCOUNT_COLUMNS, type Account, type AccountRow, toAccount } from './account.ts';
import { normaliseEmail } from './email.ts';

/** Finds an account by its address. @throws AppError INVALID_REQUEST if it is not an address. */
export async function findAccountByEmail(db: Database, email: string): Promise<Account | null> {
  const row = await db.kysely
    .selectFrom('accounts')
    .select(ACCOUNT_COLUMNS)
    .where('email', '=', normaliseEmail(email))
    .executeTakeFirst();
  return row === undefined ? null : toAccount(row as AccountRow);
}

/** Finds an account. @param id a well-formed UUID. */
export async function findAccountById(db: Database, id: string): Promise<Account | null> {
  const row = await db.kysely
    .selectFrom('accounts')
    .select(ACCOUNT_COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toAccount(row as AccountRow);
}

/** Finds the oldest owner of this installation; null before the first start. */
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
