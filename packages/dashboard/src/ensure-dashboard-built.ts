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
 * Builds the dashboard if its build is missing or older than its sources, which takes about a
 * second. A process of its own does it, so that the service never loads the bundler. What killed
 * starts left is removed.
 * @param stopping ends the build, which then leaves nothing
 * @returns whether it built
 * @throws with what the bundler says; `stopping.reason` if stopped
 */
export async function ensureDashboardBuilt(stopping?: AbortSignal): Promise<boolean> {
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
  // Not by `signal` of `execFile`, which would not wait until the process writes no more.
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

/** Removes the builds of processes that were killed. */
function removeLeftovers(): void {
  for (const name of readdirSync(ROOT)) {
    const pid = /^dist-(\d+)(-old)?$/.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    try {
      rmSync(path.join(ROOT, name), { recursive: true, force: true });
    } catch {
      // They do no harm where this process may not write.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of somebody else answers EPERM.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
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
