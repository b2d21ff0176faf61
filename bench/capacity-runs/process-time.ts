import { readdirSync, readFileSync } from 'node:fs';

/** CPU time of a process. */
export interface ProcessTime {
  /** All threads together, those that ended too; counted in ticks of 10 ms. */
  readonly cpuSeconds: number;
  /** Time of its main thread, exactly. */
  readonly mainSeconds: number;
}

/** Time of processes by the system's scheduler. */
export interface ScheduledTime {
  /** Time on a core of all threads that there are, exactly. */
  readonly ranSeconds: number;
  /** Time in which they were ready and waited for a core. */
  readonly waitedSeconds: number;
}

const TICKS_A_SECOND = 100;
const NANOSECONDS = 1e9;

/**
 * Reads the CPU time of a process.
 * @throws Error without /proc, or if there is no such process
 */
export function processTime(pid: number): ProcessTime {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND,
    mainSeconds: scheduled(`/proc/${pid}/schedstat`).ranSeconds,
  };
}

/** Reads the time of a process's threads; those that have ended are not in it. */
export function scheduledTime(pid: number): ScheduledTime {
  let ranSeconds = 0;
  let waitedSeconds = 0;
  for (const thread of threadsOf(pid)) {
    const time = scheduled(`/proc/${pid}/task/${thread}/schedstat`);
    ranSeconds += time.ranSeconds;
    waitedSeconds += time.waitedSeconds;
  }
  return { ranSeconds, waitedSeconds };
}

function scheduled(file: string): ScheduledTime {
  try {
    const [ran, waited] = readFileSync(file, 'utf8').split(' ').map(Number);
    return { ranSeconds: ran! / NANOSECONDS, waitedSeconds: waited! / NANOSECONDS };
  } catch {
    // The thread has ended.
    return { ranSeconds: 0, waitedSeconds: 0 };
  }
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}
