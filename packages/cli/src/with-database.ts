import type { Account } from '@guise/server/accounts/account.ts';
import { findAccountByEmail } from '@guise/server/accounts/find-account.ts';
import { loadConfig } from '@guise/server/config/config.ts';
import { type Database, openDatabase } from '@guise/server/db/database.ts';
import { openEmbedded } from '@guise/server/db/embedded.ts';
import { migrate } from '@guise/server/db/migrate.ts';

/**
 * Runs `use` on the installation's database: the one DATABASE_URL names, else the embedded one of
 * the data directory, whether a service has it running or it must be started for the moment.
 */
export async function withDatabase<T>(use: (db: Database) => Promise<T>): Promise<T> {
  const config = loadConfig();
  if (config.databaseUrl !== null) return onDatabase(config.databaseUrl, use);
  const embedded = await openEmbedded(config.dataDir, { role: 'visitor' });
  try {
    return await onDatabase(embedded.url, use);
  } finally {
    await embedded.stop();
  }
}

/** @throws Error with a plain sentence where no account has this address. */
export async function requireAccount(db: Database, email: string): Promise<Account> {
  const account = await findAccountByEmail(db, email);
  if (account === null) throw new Error(`There is no account for ${email}.`);
  return account;
}

async function onDatabase<T>(url: string, use: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase(url, { poolSize: 1 });
  try {
    // The very first command of an installation may come before its first start.
    await migrate(db);
    return await use(db);
  } finally {
    await db.close();
  }
}
