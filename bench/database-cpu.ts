import { readdirSync, readFileSync } from 'node:fs';
import type { Queryable } from '@guise/server/db/database.ts';

/** Milliseconds of a tick of the system's clock, in which /proc counts CPU time. */
const TICK_MS = 10;

/**
 * Returns the CPU time that a PostgreSQL of this machine has used, all its processes together and
 * those that ended, in ms; null if there is no /proc. Unlike times by the clock it hardly depends
 * on what else the machine does.
 */
export async function databaseCpuMs(db: Queryable): Promise<number | null> {
  const { rows } = await db.query<{ readonly pid: number }>('select pg_backend_pid() as pid');
  const postmaster = readStat(rows[0]!.pid)?.parent;
  if (postmaster === undefined) return null;
  let ticks = 0;
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    const stat = readStat(Number(name));
    if (stat?.pid === postmaster) ticks += stat.ownTicks + stat.endedTicks;
    else if (stat?.parent === postmaster) ticks += stat.ownTicks;
  }
  return ticks * TICK_MS;
}

interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  readonly ownTicks: number;
  /** CPU time of its children that have ended. */
  readonly endedTicks: number;
}

/** Reads a process; undefined if it is gone. */
function readStat(pid: number): ProcessStat | undefined {
  try {
    // The name before it may hold spaces and brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    const at = (field: number): number => Number(fields[field]);
    return { pid, parent: at(1), ownTicks: at(11) + at(12), endedTicks: at(13) + at(14) };
  } catch {
    return undefined;
  }
}
