import { NetError } from './net-error.ts';

/**
 * Runs `work` with a signal that is aborted with the caller's signal or when the time is over.
 * @throws what `work` throws. When the time is over, the signal's reason is a NetError.
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
