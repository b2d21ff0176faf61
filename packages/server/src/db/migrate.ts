import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { GUISE_VERSION } from '@guise/contract/version.ts';
import { Kysely, type Migration, Migrator, PostgresDialect, sql } from 'kysely';
import { compareVersions, readOldestVersion, recordOldestVersion } from './oldest-version.ts';
import type { Database } from './database.ts';
import { DatabaseError } from './require-database.ts';

/** Folder of the SQL files. */
export const MIGRATIONS_DIR = path.resolve(import.meta.dirname, '../../../../migrations');

/** File name of a migration: a number for the order, and a short description. */
const MIGRATION_FILE = /^(\d{6}_[a-z0-9_]+)\.sql$/;

export interface MigrateOptions {
  /** Folder of the SQL files. */
  readonly dir?: string;
  /** Last migration to run; all of them by default. */
  readonly upTo?: string;
  /** Version of the service that migrates; this one by default. */
  readonly version?: string;
}

/** Reads the migrations in the order of their numbers. They can only be applied, not undone. */
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
 * Migrates the schema to the current version, completely or not at all. Several processes may call
 * this at once: one migrates and the others wait. A schema of a newer version is kept if it
 * supports this version.
 * @returns names of the migrations that were run.
 * @throws DatabaseError if a migration fails, or the schema is of a version that is too new.
 */
export async function migrate(db: Database, options: MigrateOptions = {}): Promise<string[]> {
  const { dir = MIGRATIONS_DIR, upTo, version = GUISE_VERSION } = options;
  const migrations = await readMigrations(dir);
  if (await isOfNewerVersion(db, migrations)) {
    const oldest = await readOldestVersion(db.pool);
    if (oldest !== null && compareVersions(version, oldest) >= 0) return [];
    throw new DatabaseError('The database was migrated by a newer version of guise; install that version.');
  }
  const migrator = new Migrator({
    db: new Kysely({ dialect: new PostgresDialect({ pool: db.pool }) }),
    provider: { getMigrations: async () => migrations },
    migrationTableName: 'schema_migrations',
    migrationLockTableName: 'schema_migration_lock',
  });
  const { error, results } = await (upTo === undefined
    ? migrator.migrateToLatest()
    : migrator.migrateTo(upTo));
  if (error !== undefined) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseError(`Migrating the database failed: ${reason}`, error);
  }
  if (upTo === undefined) await recordOldestVersion(db.pool, dir);
  return (results ?? []).map((result) => result.migrationName);
}

/** Returns whether the database has migrations that this version does not know. */
async function isOfNewerVersion(db: Database, known: Record<string, Migration>): Promise<boolean> {
  const { rows } = await db.pool.query<{ exists: boolean }>(
    `select to_regclass('public.schema_migrations') is not null as exists`,
  );
  if (!rows[0]!.exists) return false;
  const ran = await db.pool.query<{ name: string }>('select name from schema_migrations');
  return ran.rows.some(({ name }) => !(name in known));
}
