import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Account } from '@guise/server/accounts/account.ts';
import { findAccountByEmail } from '@guise/server/accounts/find-account.ts';
import { type Config, loadConfig } from '@guise/server/config/config.ts';
import { type Database, openDatabase } from '@guise/server/db/database.ts';
import { openEmbedded } from '@guise/server/db/embedded.ts';
import { migrate } from '@guise/server/db/migrate.ts';
import type { Transaction } from '@guise/server/db/transaction.ts';
import { COMMAND_LINE, type LogAction } from '@guise/server/operator/audit.ts';
import { onAccount } from '@guise/server/operator/change-account.ts';

/**
 * Migrates the installation's database and runs `use` on it. This is the operator's database
 * (without its pooler), or the embedded one. If no service runs it, it is started for this call.
 * @throws Error with a readable message if the data folder has no database: a command makes none,
 *   because the folder is probably another one than was meant
 */
export async function withDatabase<T>(use: (db: Database) => Promise<T>): Promise<T> {
  const config = loadConfig();
  if (!hasDatabase(config)) {
    throw new Error(
      `There is no guise installation in ${config.dataDir}. Start the service there first, or set GUISE_DATA_DIR to its folder.`,
    );
  }
  return withBareDatabase(async (db) => {
    // A command may run after an upgrade, before the next start.
    await migrate(db);
    return use(db);
  });
}

/** Returns whether there is a database: the operator's, or one in the data folder. */
export function hasDatabase({ databaseUrl, dataDir }: Config): boolean {
  return databaseUrl !== null || existsSync(path.join(dataDir, 'postgres'));
}

/** Runs `use` on the installation's database without migrating it. It may have no tables. */
export async function withBareDatabase<T>(use: (db: Database) => Promise<T>): Promise<T> {
  const config = loadConfig();
  const url = config.databaseDirectUrl ?? config.databaseUrl;
  if (url !== null) return onDatabase(url, use);
  const embedded = await openEmbedded(config.dataDir, { role: 'visitor' });
  try {
    return await onDatabase(embedded.url, use);
  } finally {
    await embedded.stop();
  }
}

/**
 * Changes the account with this address, in one transaction with its entry in the audit log.
 * @param change changes the account with `client`, and writes to the audit log with `log`
 * @throws Error with a readable message if there is no such account
 */
export function changeAccount<T>(
  email: string,
  change: (account: Account, client: Transaction, log: LogAction) => Promise<T>,
): Promise<T> {
  return withDatabase(async (db) => {
    const account = await requireAccount(db, email);
    return onAccount(db, COMMAND_LINE, account.id, (client, log) => change(account, client, log));
  });
}

/**
 * Returns the account with this address.
 * @throws Error with a readable message if there is none
 */
export async function requireAccount(db: Database, email: string): Promise<Account> {
  const account = await findAccountByEmail(db, email);
  if (account === null) throw new Error(`There is no account for ${email}.`);
  return account;
}

async function onDatabase<T>(url: string, use: (db: Database) => Promise<T>): Promise<T> {
  await using db = openDatabase(url, { poolSize: 1, statementTimeoutMs: 0 });
  return await use(db);
}
