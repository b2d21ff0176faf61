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
