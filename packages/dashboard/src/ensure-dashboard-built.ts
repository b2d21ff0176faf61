import { execFile } from 'node:child_process';
import { existsSync, globSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Folder of the dashboard package. */
const ROOT = path.resolve(import.meta.dirname, '..');
/** Folder of the built dashboard. */
export const DASHBOARD_DIST = path.join(ROOT, 'dist');

/**
 * Builds the dashboard if its build is missing or older than its sources; this takes about a
 * second. The build runs in a separate process, so that the service never loads the bundler. Also
 * removes leftovers of killed builds.
 * @param stopping stops the build without leaving files
 * @returns whether the dashboard was built
 * @throws an error with the bundler's output; `stopping.reason` if stopped
 */
export async function ensureDashboardBuilt(stopping?: AbortSignal): Promise<boolean> {
  // The package of `npm run pack` has the built dashboard and no sources.
  if (!existsSync(path.join(ROOT, 'package.json'))) return false;
  removeLeftovers();
  const built = path.join(DASHBOARD_DIST, 'index.html');
  const sources = globSync(['src/**/*', 'public/**/*', 'index.html', 'vite.config.ts', 'package.json'], {
    cwd: ROOT,
  });
  const newestMs = Math.max(...sources.map((file) => statSync(path.join(ROOT, file)).mtimeMs));
  if (existsSync(built) && statSync(built).mtimeMs >= newestMs) return false;
  const fresh = `${DASHBOARD_DIST}-${process.pid}`;
  const vite = path.resolve(fileURLToPath(import.meta.resolve('vite/package.json')), '../bin/vite.js');
  stopping?.throwIfAborted();
  const building = promisify(execFile)(
    process.execPath,
    [vite, 'build', '--logLevel', 'error', '--outDir', fresh],
    { cwd: ROOT },
  );
  // The option `signal` of `execFile` is not used, because it would not wait until the process has
  // ended.
  const onStopping = (): void => void building.child.kill('SIGKILL');
  stopping?.addEventListener('abort', onStopping, { once: true });
  try {
    await building;
    stopping?.throwIfAborted();
    putInPlace(fresh);
    return true;
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    stopping?.throwIfAborted();
    throw error;
  } finally {
    stopping?.removeEventListener('abort', onStopping);
  }
}

/** Removes the build folders of killed processes. */
function removeLeftovers(): void {
  for (const name of readdirSync(ROOT)) {
    const pid = /^dist-(\d+)(-old)?$/.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    try {
      rmSync(path.join(ROOT, name), { recursive: true, force: true });
    } catch {
      // If this process may not remove a folder, the folder does no harm.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that the process is alive and belongs to another user.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/**
 * Replaces the current build. Services that start at the same time may all build; each puts a
 * complete build in place, and the last one stays.
 */
function putInPlace(fresh: string): void {
  const old = `${fresh}-old`;
  if (existsSync(DASHBOARD_DIST)) renameSync(DASHBOARD_DIST, old);
  try {
    renameSync(fresh, DASHBOARD_DIST);
  } catch (error) {
    // Another process put its build in place between the two renames. It was made from the same
    // sources.
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    rmSync(fresh, { recursive: true });
  }
  rmSync(old, { recursive: true, force: true });
}
