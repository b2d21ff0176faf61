import { readdirSync, readFileSync } from 'node:fs';

export interface RunningProcess {
  readonly pid: number;
  /** Script that the process runs, such as `worker.ts`; empty if it runs no script. */
  readonly script: string;
  /** Peak of the resident memory since its start. */
  readonly peakMiB: number;
}

/** Returns `rootPid` and all processes below it; empty if there is no /proc. */
export function processTree(rootPid: number): RunningProcess[] {
  const children = new Map<number, number[]>();
  for (const name of entriesOfProc()) {
    const parent = Number(/^PPid:\s*(\d+)/m.exec(readProc(name, 'status'))?.[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const below = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(below)];
  return children.size === 0 ? [] : below(rootPid).map(describe);
}

/**
 * Returns the memory of `rootPid` and all processes below it, in bytes; 0 if there is no /proc. A
 * file that several processes have mapped counts once, with the largest size in one of them,
 * because they share its pages.
 */
export function residentBytes(rootPid: number): number {
  let kibibytes = 0;
  const files = new Map<string, number>();
  for (const { pid } of processTree(rootPid)) {
    const own = new Map<string, number>();
    let file = '';
    for (const line of readProc(String(pid), 'smaps').split('\n')) {
      const mapping = /^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ (\d+)\s*(.*)/.exec(line);
      if (mapping) file = mapping[1] === '0' ? '' : mapping[2]!;
      const [, field, size] = /^(Rss|Anonymous):\s+(\d+)/.exec(line) ?? [];
      if (field === 'Anonymous') kibibytes += Number(size);
      if (field === undefined || file === '') continue;
      own.set(file, (own.get(file) ?? 0) + (field === 'Rss' ? 1 : -1) * Number(size));
    }
    for (const [name, size] of own) files.set(name, Math.max(files.get(name) ?? 0, size));
  }
  for (const size of files.values()) kibibytes += size;
  return kibibytes * 1024;
}

function describe(pid: number): RunningProcess {
  const script = readProc(String(pid), 'cmdline')
    .split('\0')
    .find((each) => each.endsWith('.ts'));
  const peakKiB = Number(/^VmHWM:\s*(\d+)/m.exec(readProc(String(pid), 'status'))?.[1] ?? 0);
  return { pid, script: script?.split('/').at(-1) ?? '', peakMiB: Math.round(peakKiB / 1024) };
}

function entriesOfProc(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** Reads a file of /proc; empty if the process has ended. */
function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
