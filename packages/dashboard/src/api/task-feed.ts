import type { Task } from '@guise/client';
import type { TaskSummaryBody } from '@guise/contract/account/own.ts';
import { isTerminal } from '@guise/contract/task.ts';
import { useEffect, useSyncExternalStore } from 'react';
import { guise } from './ai-tasks.ts';

/** Pause before a stream that was lost is opened again. */
const RETRY_MS = 2000;
/** Longest such pause: it doubles with each failure. */
const MAX_RETRY_MS = 60_000;
/** Largest number of tasks whose latest state is remembered. */
const MAX_REMEMBERED = 500;

/** A changed task, or null if the stream was opened again and changes may have been missed. */
type News = Task | null;

const latest = new Map<string, Task>();
const listeners = new Set<(news: News) => void>();

/**
 * Follows the account's tasks until the returned function is called. Of all tabs of a browser, only
 * one has the stream of events.
 */
export function followTasks(accountId: string): () => void {
  const stop = new AbortController();
  // Name of the lock of the tab with the stream, and of the channel on which it tells the others.
  const name = `guise-tasks-${accountId}`;
  const channel = new BroadcastChannel(name);
  channel.addEventListener('message', ({ data }: MessageEvent<News>) => tell(data));
  const spread = (news: News): void => {
    tell(news);
    channel.postMessage(news);
  };
  const read = (): Promise<void> => readForEver(spread, stop.signal);
  // Pages without TLS on other machines have no locks. There, every tab has a stream.
  const { locks } = navigator as { locks?: LockManager };
  const reading = locks === undefined ? read() : locks.request(name, { signal: stop.signal }, read);
  // Rejects only when stopped.
  reading.catch(() => {});
  return () => {
    stop.abort();
    channel.close();
    latest.clear();
  };
}

/** Returns the latest state of a task that the stream has told; undefined if it has told none. */
export function useLiveTask(id: string): Task | undefined {
  return useSyncExternalStore(subscribe, () => latest.get(id));
}

/** Returns how far a task is, 0 to 1, at least as far as was loaded. */
export function useProgress({
  id,
  status,
  progress,
}: Pick<TaskSummaryBody, 'id' | 'status' | 'progress'>): number {
  const result = useLiveTask(id)?.result ?? null;
  if (isTerminal(status) || result === null || !('progress' in result)) return progress;
  return Math.max(progress, result.progress);
}

/** Calls `reload` when a list of tasks has changed, or may have changed. */
export function useTaskNews(reload: () => void): void {
  useEffect(() => {
    const known = new Map<string, string>();
    return subscribe((news) => {
      const state = news === null ? '' : `${news.status} ${news.costCredits}`;
      if (news !== null && known.get(news.id) === state) return;
      if (news !== null) known.set(news.id, state);
      reload();
    });
  }, [reload]);
}

/**
 * Calls `listener` with each changed task, and with null when changes may have been missed. Ends
 * when the returned function is called.
 */
export function subscribe(listener: (news: News) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(news: News): void {
  if (news !== null) {
    latest.delete(news.id);
    latest.set(news.id, news);
    if (latest.size > MAX_REMEMBERED) latest.delete(latest.keys().next().value!);
  }
  for (const listener of listeners) listener(news);
}

async function readForEver(spread: (news: News) => void, signal: AbortSignal): Promise<void> {
  let lastEventId: string | undefined;
  let waitMs = RETRY_MS;
  while (!signal.aborted) {
    try {
      const events = await guise.events({ signal, ...(lastEventId === undefined ? {} : { lastEventId }) });
      waitMs = RETRY_MS;
      spread(null);
      for await (const { id, task } of events) {
        lastEventId = id;
        spread(task);
      }
    } catch {
      // The service is away or refuses the stream. It is asked again.
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    waitMs = Math.min(2 * waitMs, MAX_RETRY_MS);
  }
}
