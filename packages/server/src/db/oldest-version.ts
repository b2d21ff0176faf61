import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';

/** File next to the migrations that names the released version with which they are tested. */
const RELEASED_FILE = 'released.json';

/** Reads the oldest version that the schema supports; null if the schema does not say. */
export async function readOldestVersion(pool: pg.Pool): Promise<string | null> {
  if (!(await hasRecord(pool))) return null;
  const { rows } = await pool.query<{ oldest_version: string }>(
    'select oldest_version from schema_compatibility',
  );
  return rows[0]?.oldest_version ?? null;
}

/** Records the oldest version that supports the current schema. */
export async function recordOldestVersion(pool: pg.Pool, migrationsDir: string): Promise<void> {
  if (!(await hasRecord(pool))) return;
  const text = await readFile(path.join(migrationsDir, RELEASED_FILE), 'utf8');
  const { version } = JSON.parse(text) as { readonly version: string };
  await pool.query(
    `insert into schema_compatibility (oldest_version) values ($1)
     on conflict (is_only) do update set oldest_version = excluded.oldest_version
       where schema_compatibility.oldest_version <> excluded.oldest_version`,
    [version],
  );
}

/** Compares versions of three numbers. @returns a number below 0 if the first is older */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  const place = left!.findIndex((number, index) => number !== right![index]);
  return place === -1 ? 0 : left![place]! - right![place]!;
}

async function hasRecord(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ exists: boolean }>(
    `select to_regclass('public.schema_compatibility') is not null as exists`,
  );
  return rows[0]!.exists;
}
