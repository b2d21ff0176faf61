import { createReadStream } from 'node:fs';
import { copyFile, readFile, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { Database } from '../db/database.ts';
import { migrate, readMigrations } from '../db/migrate.ts';
import { inTransaction, type Transaction } from '../db/transaction.ts';
import { isStorageKey, type Storage } from '../storage/storage.ts';
import { BackupError, backupLayout, type BackupManifest, readManifest } from './manifest.ts';
import { copyTarget, quote } from './table-order.ts';
import { sha256Of } from './write-backup.ts';

export interface RestoreOptions {
  /** Database without any account. */
  readonly db: Database;
  /** Storage for the media, if the backup contains them; null if this installation has a bucket. */
  readonly storage: Storage | null;
  readonly dir: string;
  /** Checksum that was shown when the backup was written; null if unknown. */
  readonly expectedSum: string | null;
}

/**
 * Restores a backup, which may be of an older version, to an empty installation. After an
 * interruption, it can be run again.
 * @throws BackupError if the backup is damaged or newer, or the installation has accounts.
 */
export async function restoreBackup(options: RestoreOptions): Promise<BackupManifest> {
  const { db, storage, dir, expectedSum } = options;
  const manifest = await readManifest(dir, expectedSum);
  if ((manifest.media.kept === 'here') !== (storage !== null)) {
    throw new BackupError(
      storage === null
        ? 'This backup contains its media, so it cannot be restored into a bucket: unset GUISE_S3_BUCKET.'
        : 'This backup does not contain its media; they are in a bucket. Set GUISE_S3_BUCKET and the other GUISE_S3_* variables to that bucket.',
    );
  }
  const known = Object.keys(await readMigrations());
  const last = manifest.migrations.at(-1);
  if (last === undefined || manifest.migrations.some((name) => !known.includes(name))) {
    throw new BackupError(`${dir} was written by a newer version of guise; install that version.`);
  }
  const { tableFile, mediaList } = backupLayout(dir);
  for (const { name, file } of manifest.tables) await checkFile(tableFile(name), file.sha256, dir);
  await checkFile(mediaList, manifest.media.list.sha256, dir);
  await requireEmpty(db, last);
  if (storage !== null) await restoreMedia(storage, dir);
  await migrate(db, { upTo: last });
  await inTransaction(db.pool, async (client) => {
    await client.query('set local statement_timeout = 0');
    // Triggers make new rows; these are copied as they were.
    const triggers = async (change: 'disable' | 'enable'): Promise<void> => {
      for (const { name } of manifest.tables)
        await client.query(`alter table ${quote(name)} ${change} trigger user`);
    };
    await triggers('disable');
    await client.query(`truncate ${manifest.tables.map(({ name }) => quote(name)).join(', ')}`);
    for (const table of manifest.tables) await fillTable(client, table, dir);
    await triggers('enable');
    await requireOwnKeys(client, dir);
  });
  await migrate(db);
  return manifest;
}

/** Throws if the database has an account, or a newer schema than the backup. */
async function requireEmpty(db: Database, lastMigration: string): Promise<void> {
  const { rows } = await db.pool.query<{ exists: boolean }>(
    `select to_regclass('public.accounts') is not null as exists`,
  );
  if (!rows[0]!.exists) return;
  const accounts = await db.pool.query('select 1 from accounts limit 1');
  const newer = await db.pool.query('select 1 from schema_migrations where name > $1', [lastMigration]);
  if (accounts.rowCount !== 0 || newer.rowCount !== 0) {
    throw new BackupError(
      'A backup can only be restored into an installation that was never started. Set GUISE_DATA_DIR to a new folder, ' +
        'or DATABASE_URL to a new database.',
    );
  }
}

async function checkFile(file: string, sha256: string, dir: string): Promise<void> {
  const found = await sha256Of(file).catch(() => null);
  if (found !== sha256) throw damaged(dir, `${path.relative(dir, file)} is not what was written`);
}

/** Stores each listed file under its key. Files that exist already are kept. */
async function restoreMedia(storage: Storage, dir: string): Promise<void> {
  const { mediaList, mediaFile } = backupLayout(dir);
  const root = await realpath(dir);
  for (const line of (await readFile(mediaList, 'utf8')).split('\n')) {
    if (line === '') continue;
    const [key = '', sha256 = ''] = line.split(' ');
    if (!isStorageKey(key)) throw damaged(dir, 'media.txt names a file that guise never made');
    if ((await storage.sizeBytes(key)) !== null) continue;
    const from = mediaFile(key);
    // If the file or a folder above it is a link, it could be outside of the backup.
    const isOwn = (await realpath(from).catch(() => null)) === path.join(root, path.relative(dir, from));
    if (!isOwn) throw damaged(dir, `media/${key} is missing, or is a link`);
    const scratch = storage.scratch.newPath('restored');
    await copyFile(from, scratch);
    // The copy is checked, because nobody can change it afterwards.
    if ((await sha256Of(scratch)) !== sha256) {
      await rm(scratch, { force: true });
      throw damaged(dir, `media/${key} is not what was written`);
    }
    await storage.put(key, scratch);
  }
}

/**
 * Throws if a table contains a key that is not in guise's form. Such a file could be neither read
 * nor deleted.
 */
async function requireOwnKeys(client: Transaction, dir: string): Promise<void> {
  const { rows } = await client.query<{ key: string }>('select key from objects');
  const foreign = rows.find(({ key }) => !isStorageKey(key));
  if (foreign !== undefined) throw damaged(dir, 'its objects name a file that guise never made');
}

function damaged(dir: string, reason: string): BackupError {
  return new BackupError(`${dir} is damaged: ${reason}.`);
}

async function fillTable(
  client: Transaction,
  table: BackupManifest['tables'][number],
  dir: string,
): Promise<void> {
  const into = client.query(copyFrom(`copy ${copyTarget(table)} from stdin`));
  await pipeline(createReadStream(backupLayout(dir).tableFile(table.name)), into);
  if (into.rowCount !== table.rows) {
    throw damaged(dir, `${table.name} has ${into.rowCount} rows, not ${table.rows}`);
  }
  // Numbering continues after the highest number.
  const { rows } = await client.query<{ column: string }>(
    `select attname as column from pg_attribute
     where attrelid = $1::regclass and attidentity <> '' and not attisdropped`,
    [quote(table.name)],
  );
  for (const { column } of rows) {
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), max(${quote(column)})) from ${quote(table.name)}
       having max(${quote(column)}) is not null`,
      [quote(table.name), column],
    );
  }
}
