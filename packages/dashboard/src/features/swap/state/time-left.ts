/** Least progress from which the time that is left can be told. */
const MIN_PROGRESS = 0.08;

interface Worked {
  /** 0 to 1. */
  readonly progress: number;
  readonly startedAt: string | null;
}

/** Returns the time that is left as text, such as `12 s`. null if it is not known yet. */
export function timeLeft({ progress, startedAt }: Worked, nowMs: number): string | null {
  if (startedAt === null || progress < MIN_PROGRESS) return null;
  const workedSeconds = (nowMs - Date.parse(startedAt)) / 1000;
  const seconds = Math.ceil((workedSeconds / progress) * (1 - progress));
  if (seconds < 1) return null;
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
