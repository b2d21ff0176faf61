import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { removeSeized } from '@guise/engine-host/parent/remove-seized.ts';

/** Number of hex digits in the name of a machine. */
const PLACE_DIGITS = 8;

/**
 * Returns the path of this run's folder, next to a file. The name contains the machine and process,
 * so that a later run can check whether the folder is still in use.
 */
export async function runFolder(beside: string): Promise<string> {
  return `${path.resolve(beside)}.${await placeOfPids()}-${process.pid}-${randomUUID()}.part`;
}

/**
 * Removes the folders of killed runs for the same file. Folders of other machines and containers
 * are kept, because this machine cannot check their processes.
 */
export async function removeLeftovers(beside: string): Promise<void> {
  const { dir, base } = path.parse(path.resolve(beside));
  const start = `${base}.${await placeOfPids()}-`;
  // If the parent folder cannot be listed, it may still be writable, so this is not an error.
  for (const name of await readdir(dir).catch(() => [])) {
    if (!name.startsWith(start)) continue;
    const pid = /^(\d+)-[0-9a-f-]{36}\.part$/.exec(name.slice(start.length))?.[1];
    if (pid !== undefined && !(await isAlive(Number(pid)))) await removeFolder(path.join(dir, name));
  }
}

/** Removes a folder to which an engine's user may still be writing. Ignores failures. */
export async function removeFolder(folder: string): Promise<void> {
  await removeSeized(Buffer.from(folder)).catch(() => {});
}

/**
 * Returns a name for this machine or container. It is needed because process ids are only unique
 * within one.
 */
async function placeOfPids(): Promise<string> {
  const pids = await readlink('/proc/self/ns/pid').catch(() => '');
  return createHash('sha256').update(`${hostname()} ${pids}`).digest('hex').slice(0, PLACE_DIGITS);
}

async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
    // A killed process remains as a zombie (state Z) until its parent reads its exit status.
    return !/\) Z /.test(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''));
  } catch (error) {
    // EPERM means that the process is alive and belongs to another user.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
