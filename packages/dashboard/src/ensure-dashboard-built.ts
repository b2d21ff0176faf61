import { execFile } from 'node:child_process';
import { existsSync, globSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Folder of the dashboard package. */
const ROOT = path.resolve(import.meta.dirname, '..');
/** Folder of the built dashboard. */
export const DASHBOARD_DIST = path.join(ROOT, 'dist');

/**
 * Builds the dashboard if its build is missing or older than its sources, which takes about a
 * second. A process of its own does it, so that the service never loads the bundler.
 * @returns whether it built
 * @throws with what the bundler says
 */
export async function ensureDashboardBuilt(): Promise<boolean> {
  const built = path.join(DASHBOARD_DIST, 'index.html');
  const sources = globSync(['src/**/*', 'public/**/*', 'index.html', 'vite.config.ts', 'package.json'], {
    cwd: ROOT,
  });
  const newestMs = Math.max(...sources.map((file) => statSync(path.join(ROOT, file)).mtimeMs));
  if (existsSync(built) && statSync(built).mtimeMs >= newestMs) return false;
  const fresh = `${DASHBOARD_DIST}-${process.pid}`;
  const vite = path.resolve(fileURLToPath(import.meta.resolve('vite/package.json')), '../bin/vite.js');
  await promisify(execFile)(process.execPath, [vite, 'build', '--logLevel', 'error', '--outDir', fresh], {
    cwd: ROOT,
  });
  putInPlace(fresh);
  return true;
}

/**
 * Services that start at the same moment may all build: each puts a whole build in place, the last
 * one stays.
 */
function putInPlace(fresh: string): void {
  const old = `${fresh}-old`;
  if (existsSync(DASHBOARD_DIST)) renameSync(DASHBOARD_DIST, old);
  try {
    renameSync(fresh, DASHBOARD_DIST);
  } catch (error) {
    // Another one stepped in between the two renames: the same sources made it.
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    rmSync(fresh, { recursive: true });
  }
  rmSync(old, { recursive: true, force: true });
}
