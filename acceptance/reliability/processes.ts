import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

export interface RunningProcess {
  readonly pid: number;
  readonly parentPid: number;
  readonly command: string;
}

/** Every process that descends from `pid`, and it. */
export async function processTree(pid: number): Promise<RunningProcess[]> {
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-eo', 'pid=,ppid=,args=']);
  const all = stdout
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, each, parent, command]) => ({
      pid: Number(each),
      parentPid: Number(parent),
      command: command!,
    }));
  const tree = all.filter((each) => each.pid === pid);
  for (const each of tree) tree.push(...all.filter((child) => child.parentPid === each.pid));
  return tree;
}

/** Finds the processes of the tree whose script or program is `name`. */
export async function findProcesses(rootPid: number, name: string): Promise<number[]> {
  return (await processTree(rootPid)).filter(({ command }) => command.includes(name)).map(({ pid }) => pid);
}

/** Sends SIGKILL to the processes. One that has ended meanwhile is left out. */
export function killAtOnce(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

export async function allGone(pids: readonly number[]): Promise<void> {
  await until(`processes ${pids.join(', ')} are gone`, () => pids.every((pid) => !isAlive(pid)));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const PATIENCE_MS = 180_000;

export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS;
  while (!(await condition())) {
    assert.ok(performance.now() < endMs, `not in time: ${what}`);
    await delay(25);
  }
}
