import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Migration, Migrator, sql } from 'kysely';
import type { Database } from './database.ts';
import { DatabaseError } from './require-database.ts';

/** Folder of the SQL files. */
export const MIGRATIONS_DIR = path.resolve(import.meta.dirname, '../../../../migrations');

/** Name of a migration: a number that orders it, and what it adds. */
const MIGRATION_FILE = /^(\d{6}_[a-z0-9_]+)\.sql$/;

export interface MigrateOptions {
  /** Folder of the SQL files. */
  readonly dir?: string;
  /** Last migration to run; all of them by default. */
  readonly upTo?: string;
}

/** Forward-only migrations in the order of their numbers. */
export async function readMigrations(dir: string = MIGRATIONS_DIR): Promise<Record<string, Migration>> {
  const migrations: Record<string, Migration> = {};
  for (const file of (await readdir(dir)).sort()) {
    const name = MIGRATION_FILE.exec(file)?.[1];
    if (name === undefined) continue;
    const text = await readFile(path.join(dir, file), 'utf8');
    migrations[name] = {
      async up(db) {
        await sql.raw(text).execute(db);
      },
    };
  }
  return migrations;
}

/**
 * Brings the schema up to date, all or nothing. Safe when several processes start at once: one
 * migrates, the others wait for it.
 * @returns names of the migrations it ran.
 * @throws DatabaseError when a migration fails, or the database was migrated by a newer version of
 * the service.
 */
export async function migrate(db: Database, options: MigrateOptions = {}): Promise<string[]> {
  const { dir = MIGRATIONS_DIR, upTo } = options;
  const migrations = await readMigrations(dir);
  const migrator = new Migrator({
    db: db.kysely,
    provider: { getMigrations: async () => migrations },
    migrationTableName: 'schema_migrations',
    migrationLockTableName: 'schema_migration_lock',
  });
  const { error, results } = await (upTo === undefined
    ? migrator.migrateToLatest()
    : migrator.migrateTo(upTo));
  if (error instanceof Error && /previously executed migration .* is missing/.test(error.message)) {
    throw new DatabaseError(
      'The database was migrated by a newer version of guise; install that version.',
      error,
    );
  }
  if (error !== undefined) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseError(`Migrating the database failed: ${reason}`, error);
  }
  return (results ?? []).map((result) => result.migrationName);
}
