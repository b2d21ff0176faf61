import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { MIGRATIONS_DIR } from '@guise/server/db/migrate.ts';

/** What the last released version asks of the database. */
export interface ReleasedVersion {
  readonly version: string;
  /** SHA-256 of each migration that it brings, by its file's name. */
  readonly migrations: Readonly<Record<string, string>>;
  /** Statements that its code sends, each once. */
  readonly statements: readonly string[];
}

/** File of the last released version, made by `npm run statements`. */
export const RELEASED_FILE = path.join(MIGRATIONS_DIR, 'released.json');

export function readReleased(): ReleasedVersion {
  return JSON.parse(readFileSync(RELEASED_FILE, 'utf8')) as ReleasedVersion;
}

/** Returns the newest version that the changelog has a heading of. */
export function newestReleased(): string {
  const changelog = readFileSync(path.join(MIGRATIONS_DIR, '../CHANGELOG.md'), 'utf8');
  const version = /^## (\d+\.\d+\.\d+)/m.exec(changelog)?.[1];
  if (version === undefined) throw new Error('CHANGELOG.md has no released version');
  return version;
}

/** Returns the SHA-256 of each migration in a folder, by its file's name. */
export function hashMigrations(dir: string = MIGRATIONS_DIR): Record<string, string> {
  const files = readdirSync(dir).filter((file) => /^\d{6}_.*\.sql$/.test(file));
  const hashOf = (file: string): string =>
    createHash('sha256')
      .update(readFileSync(path.join(dir, file)))
      .digest('hex');
  return Object.fromEntries(files.sort().map((file) => [file, hashOf(file)]));
}
