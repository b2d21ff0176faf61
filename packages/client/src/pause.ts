/** Waits. @throws the reason of `signal` as soon as that is aborted */
export async function pause(waitMs: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, waitMs);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
