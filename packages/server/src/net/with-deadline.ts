import { NetError } from './net-error.ts';

/**
 * Runs `work` under a signal that aborts when the caller's does or when time is up.
 * @throws what `work` throws; it finds a NetError as the signal's reason when time is up.
 */
export async function withDeadline<T>(
  totalMs: number,
  signal: AbortSignal | undefined,
  work: (inTime: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const timer = setTimeout(() => {
    deadline.abort(new NetError('UNREACHABLE', `it took longer than ${totalMs / 1000} seconds`));
  }, totalMs);
  try {
    return await work(signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal]));
  } finally {
    clearTimeout(timer);
  }
}
