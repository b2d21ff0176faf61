import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Returns the bytes of memory that process `pid` holds now (RSS); 0 if the process is gone. */
export async function residentBytes(pid: number): Promise<number> {
  try {
    if (process.platform === 'linux') {
      const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
      return Number(kibibytes ?? 0) * 1024;
    }
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
    return Number(stdout) * 1024;
  } catch {
    return 0;
  }
}

/**
 * Returns the processor time that process `pid` has used so far, in milliseconds; null if the
 * process is gone or the system does not tell it.
 */
export async function processorMs(pid: number): Promise<number | null> {
  if (process.platform !== 'linux') return null;
  try {
    // The fields after the name, which is in parentheses and may contain anything.
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[USER_TICKS_FIELD]) + Number(fields[SYSTEM_TICKS_FIELD])) * TICK_MS;
  } catch {
    return null;
  }
}

/** Place of `utime` among the fields after the name; see proc_pid_stat(5). */
const USER_TICKS_FIELD = 11;
/** Place of `stime` among them. */
const SYSTEM_TICKS_FIELD = 12;
/** Length of a tick, which is 10 ms on every Linux that Node.js supports. */
const TICK_MS = 10;
