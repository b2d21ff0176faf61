import { readdirSync, readFileSync } from 'node:fs';
import type { Queryable } from '@guise/server/db/database.ts';

/** Milliseconds per clock tick, the unit of CPU time in /proc. */
const TICK_MS = 10;

/**
 * Returns the CPU time of a PostgreSQL on this machine, in ms: the sum over all its processes,
 * including those that have ended. Null if there is no /proc. CPU time depends less on the load of
 * the machine than elapsed time does.
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
  /** CPU time of child processes that have ended. */
  readonly endedTicks: number;
}

/** Reads a process; undefined if it has ended. */
function readStat(pid: number): ProcessStat | undefined {
  try {
    // The name before it may contain spaces and brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    const at = (field: number): number => Number(fields[field]);
    return { pid, parent: at(1), ownTicks: at(11) + at(12), endedTicks: at(13) + at(14) };
  } catch {
    return undefined;
  }
}
