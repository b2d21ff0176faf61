import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

/** Number of the backup's format. A changed format gets a higher number. */
export const BACKUP_FORMAT = 1;

const FileSums = Type.Object({ bytes: Type.Integer({ minimum: 0 }), sha256: Type.String() });

const ManifestSchema = Type.Object({
  format: Type.Literal(BACKUP_FORMAT),
  /** Version of guise that wrote the backup. */
  version: Type.String(),
  createdAt: Type.String(),
  /** Migrations of the database, in order. */
  migrations: Type.Array(Type.String()),
  /** Tables in an order in which each comes after the tables that it refers to. */
  tables: Type.Array(
    Type.Object({
      name: Type.String({ pattern: '^[a-z][a-z0-9_]*$' }),
      columns: Type.Array(Type.String({ pattern: '^[a-z][a-z0-9_]*$' })),
      rows: Type.Integer({ minimum: 0 }),
      file: FileSums,
    }),
  ),
  media: Type.Object({
    /** Whether the files are in this backup or in a bucket, which is not part of the backup. */
    kept: Type.Union([Type.Literal('here'), Type.Literal('bucket')]),
    files: Type.Integer({ minimum: 0 }),
    bytes: Type.Integer({ minimum: 0 }),
    /** Number of files that expired and were deleted before they could be copied. */
    gone: Type.Integer({ minimum: 0 }),
    /** Checksum of the file that lists the media. */
    list: FileSums,
  }),
});

/** Contents of a backup. The manifest is written last: a folder without one is not a backup. */
export type BackupManifest = Static<typeof ManifestSchema>;

/** Failure that the operator can fix. The message explains how. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** Returns the paths of the parts of a backup. */
export function backupLayout(dir: string) {
  return {
    manifest: path.join(dir, 'manifest.json'),
    tableFile: (table: string): string => path.join(dir, 'database', `${table}.copy`),
    mediaFile: (key: string): string => path.join(dir, 'media', key),
    /** Each line contains a key and, if the file is in the backup, its SHA-256 in hex. */
    mediaList: path.join(dir, 'media.txt'),
  };
}

/**
 * Returns the checksum of a manifest in hex. The manifest contains the checksums of all other
 * files.
 */
export function manifestSum(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Reads the manifest of a backup.
 * @param expectedSum result of `manifestSum` when the backup was written; null if unknown
 * @throws BackupError if the folder is not a readable backup, or not the expected one.
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
    throw new BackupError(
      `${dir} is not the expected backup: its checksum differs from the one that you gave.`,
    );
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
