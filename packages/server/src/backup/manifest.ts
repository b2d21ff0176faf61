import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

/** Form of the folder; a later one gets a higher number. */
export const BACKUP_FORMAT = 1;

const FileSums = Type.Object({ bytes: Type.Integer({ minimum: 0 }), sha256: Type.String() });

const ManifestSchema = Type.Object({
  format: Type.Literal(BACKUP_FORMAT),
  /** Version of guise that wrote it. */
  version: Type.String(),
  createdAt: Type.String(),
  /** Migrations that the database had, in their order. */
  migrations: Type.Array(Type.String()),
  /** Tables in an order in which each comes after those it refers to. */
  tables: Type.Array(
    Type.Object({
      name: Type.String({ pattern: '^[a-z][a-z0-9_]*$' }),
      columns: Type.Array(Type.String({ pattern: '^[a-z][a-z0-9_]*$' })),
      rows: Type.Integer({ minimum: 0 }),
      file: FileSums,
    }),
  ),
  media: Type.Object({
    /** Whether the files are in this backup, or in a bucket that is kept separately. */
    kept: Type.Union([Type.Literal('here'), Type.Literal('bucket')]),
    files: Type.Integer({ minimum: 0 }),
    bytes: Type.Integer({ minimum: 0 }),
    /** Files that were deleted, as they were due, before they could be copied. */
    gone: Type.Integer({ minimum: 0 }),
    /** The file that lists them. */
    list: FileSums,
  }),
});

/** Contents of a backup. It is written last: a folder without one is not a backup. */
export type BackupManifest = Static<typeof ManifestSchema>;

/** Failure that the operator can fix; its message says how. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** Paths of a backup's parts in its folder. */
export function backupLayout(dir: string) {
  return {
    manifest: path.join(dir, 'manifest.json'),
    tableFile: (table: string): string => path.join(dir, 'database', `${table}.copy`),
    mediaFile: (key: string): string => path.join(dir, 'media', key),
    /** Lines of a key and, if the file is in the backup, its SHA-256 in hex. */
    mediaList: path.join(dir, 'media.txt'),
  };
}

/** Returns the sum of a manifest, which holds those of all other files, in hex. */
export function manifestSum(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Reads what a backup holds.
 * @param expectedSum what `manifestSum` gave when it was written; null if nobody kept it
 * @throws BackupError if the folder is not a readable backup, or another one.
 */
export async function readManifest(dir: string, expectedSum: string | null): Promise<BackupManifest> {
  let text: string;
  let manifest: unknown;
  try {
    text = await readFile(backupLayout(dir).manifest, 'utf8');
    manifest = JSON.parse(text);
  } catch {
    throw new BackupError(`${dir} is not a complete backup, because its manifest.json cannot be read.`);
  }
  if (expectedSum !== null && manifestSum(text) !== expectedSum.toLowerCase()) {
    throw new BackupError(`${dir} is not the backup with that sum: its manifest.json has another.`);
  }
  const { format } = manifest as { readonly format?: unknown };
  if (typeof format === 'number' && format > BACKUP_FORMAT) {
    throw new BackupError(`${dir} was written by a newer version of guise; install that version.`);
  }
  if (!Value.Check(ManifestSchema, manifest)) {
    throw new BackupError(`${dir} is not a backup of guise, because its manifest.json has another form.`);
  }
  return manifest;
}
