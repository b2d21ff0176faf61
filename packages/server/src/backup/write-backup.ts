import { createHash } from 'node:crypto';
import { constants, createReadStream, createWriteStream } from 'node:fs';
import { chmod, copyFile, mkdir, open, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GUISE_VERSION } from '@guise/contract/version.ts';
import { to as copyTo } from 'pg-copy-streams';
import type { Database } from '../db/database.ts';
import { inTransaction, type Transaction } from '../db/transaction.ts';
import type { Storage } from '../storage/storage.ts';
import { BACKUP_FORMAT, BackupError, backupLayout, type BackupManifest, manifestSum } from './manifest.ts';
import { type BackedUpTable, copySource, readTables } from './table-order.ts';

export interface BackupOptions {
  readonly db: Database;
  /** Media on this machine; null if they are in a bucket, which is not copied. */
  readonly storage: Storage | null;
  /**
   * Folder to write to. It is created if needed, must be empty, and becomes accessible only to this
   * user.
   */
  readonly dir: string;
}

export interface WrittenBackup extends BackupManifest {
  /** Checksum of the manifest. With it, `restoreBackup` checks that it restores this backup. */
  readonly sum: string;
}

/**
 * Writes a backup. The service may be running. The database is read in one snapshot. The media are
 * copied afterwards, beginning with those of unfinished tasks.
 * @throws BackupError if the folder is not empty, or is a file.
 */
export async function writeBackup({ db, storage, dir }: BackupOptions): Promise<WrittenBackup> {
  if ((await stat(dir).catch(() => null))?.isDirectory() === false)
    throw new BackupError(`${dir} is a file: name a new folder.`);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  if ((await readdir(dir)).length > 0) throw new BackupError(`${dir} is not empty: name a new folder.`);
  await chmod(dir, 0o700);
  await mkdir(path.join(dir, 'database'), { mode: 0o700 });
  const layout = backupLayout(dir);
  // One transaction reads all tables in one snapshot. The media are copied outside of it, because a
  // long transaction makes the queue slow.
  const read = await inTransaction(db.pool, async (client) => {
    await client.query('set transaction isolation level repeatable read, read only');
    await client.query('set local statement_timeout = 0');
    const tables: BackupManifest['tables'] = [];
    for (const table of await readTables(client)) tables.push(await copyTable(client, table, dir));
    const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by name');
    return { migrations: rows.map(({ name }) => name), tables, keys: await readMediaKeys(client) };
  });
  const { keys, ...database } = read;
  const media =
    storage === null ? await listMedia(keys, layout.mediaList) : await copyMedia(keys, storage, dir);
  const createdAt = new Date().toISOString();
  const manifest = { format: BACKUP_FORMAT, version: GUISE_VERSION, createdAt, ...database, media } as const;
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await writeDurably(layout.manifest, text);
  return { ...manifest, sum: manifestSum(text) };
}

/**
 * Reads the keys of all media, those of unfinished tasks first, because they are deleted soonest.
 */
async function readMediaKeys(client: Transaction): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(
    `select objects.key from objects left join tasks on tasks.id = objects.task_id
     where objects.kind <> 'temporary'
     order by (tasks.status in ('PENDING', 'PROCESSING')) desc nulls last, objects.key`,
  );
  return rows.map(({ key }) => key);
}

async function listMedia(keys: readonly string[], file: string): Promise<BackupManifest['media']> {
  return { kept: 'bucket', files: keys.length, bytes: 0, gone: 0, list: await writeList(file, keys) };
}

async function copyMedia(
  keys: readonly string[],
  storage: Storage,
  dir: string,
): Promise<BackupManifest['media']> {
  const { mediaFile, mediaList } = backupLayout(dir);
  const lines: string[] = [];
  let bytes = 0;
  for (const key of keys) {
    const file = mediaFile(key);
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    try {
      // A stored file never changes, so the copy may share its disk blocks if the file system
      // supports this.
      await storage.withLocalFile(key, (from) => copyFile(from, file, constants.COPYFILE_FICLONE));
    } catch (error) {
      // The file may be missing: its key is registered before it is stored, and it is deleted when
      // it expires.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      continue;
    }
    await syncFile(file);
    lines.push(`${key} ${await sha256Of(file)}`);
    bytes += (await stat(file)).size;
  }
  const gone = keys.length - lines.length;
  return { kept: 'here', files: lines.length, bytes, gone, list: await writeList(mediaList, lines) };
}

async function writeList(file: string, lines: readonly string[]): Promise<BackupManifest['media']['list']> {
  const text = lines.map((line) => `${line}\n`).join('');
  await writeDurably(file, text);
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { bytes: Buffer.byteLength(text), sha256 };
}

/** Returns the SHA-256 of a file, in hex. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

async function copyTable(
  client: Transaction,
  table: BackedUpTable,
  dir: string,
): Promise<BackupManifest['tables'][number]> {
  const file = backupLayout(dir).tableFile(table.name);
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const rows = client.query(copyTo(`copy ${copySource(table)} to stdout`));
  await pipeline(rows, counted, createWriteStream(file, { mode: 0o600, flush: true }));
  return {
    name: table.name,
    columns: [...table.columns],
    rows: rows.rowCount,
    file: { bytes, sha256: hash.digest('hex') },
  };
}

function writeDurably(file: string, text: string): Promise<void> {
  return writeFile(file, text, { flag: 'wx', mode: 0o600, flush: true });
}

async function syncFile(file: string): Promise<void> {
  await using handle = await open(file, 'r');
  await handle.sync();
}
