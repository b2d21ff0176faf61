import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { removeSeized } from '@guise/engine-host/parent/remove-seized.ts';

/** Length of the name of a machine in hexadecimal digits. */
const PLACE_DIGITS = 8;

/**
 * Names a folder for this run beside a file. The name says which process of which machine made it,
 * so that a later run knows when nobody needs it any more.
 */
export async function runFolder(beside: string): Promise<string> {
  return `${path.resolve(beside)}.${await placeOfPids()}-${process.pid}-${randomUUID()}.part`;
}

/**
 * Removes the folders that runs for the same file left because they were killed. Those of other
 * machines and containers stay, since nobody here can tell whether their processes live.
 */
export async function removeLeftovers(beside: string): Promise<void> {
  const { dir, base } = path.parse(path.resolve(beside));
  const start = `${base}.${await placeOfPids()}-`;
  // Some folders can be written to, but not listed.
  for (const name of await readdir(dir).catch(() => [])) {
    if (!name.startsWith(start)) continue;
    const pid = /^(\d+)-[0-9a-f-]{36}\.part$/.exec(name.slice(start.length))?.[1];
    if (pid !== undefined && !(await isAlive(Number(pid)))) await removeFolder(path.join(dir, name));
  }
}

/** Removes a folder to which an engine's user may still write. What resists stays. */
export async function removeFolder(folder: string): Promise<void> {
  await removeSeized(Buffer.from(folder)).catch(() => {});
}

/** Names the machine or container in which process ids mean what they mean here. */
async function placeOfPids(): Promise<string> {
  const pids = await readlink('/proc/self/ns/pid').catch(() => '');
  return createHash('sha256').update(`${hostname()} ${pids}`).digest('hex').slice(0, PLACE_DIGITS);
}

async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
    // One that was killed may wait long for a parent that asks how it ended.
    return !/\) Z /.test(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''));
  } catch (error) {
    // A process of somebody else answers EPERM.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
