import type { TaskSummaryBody } from '@guise/contract/account/own.ts';
import type { TaskBody } from '@guise/contract/ai-tasks/schemas.ts';
import { isTerminal } from '@guise/contract/task.ts';
import { useEffect, useSyncExternalStore } from 'react';
import { openEvents } from './ai-tasks.ts';
import { pause } from './patiently.ts';

/** Pause before a stream that was lost is opened again. */
const RETRY_MS = 2000;
/** Longest such pause: it doubles with each failure. */
const MAX_RETRY_MS = 60_000;
/** Silence after which a stream counts as lost. The service sends a comment every 15 seconds. */
const SILENCE_MS = 40_000;
/** Largest number of tasks whose latest state is remembered. */
const MAX_REMEMBERED = 500;

/** A changed task, or null if the stream was opened again and changes may have been missed. */
type News = TaskBody | null;

const latest = new Map<string, TaskBody>();
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
export function useLiveTask(id: string): TaskBody | undefined {
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

async function readForEver(spread: (news: News) => void, stop: AbortSignal): Promise<void> {
  let since: string | null = null;
  let waitMs = RETRY_MS;
  while (!stop.aborted) {
    try {
      const lost = new AbortController();
      const response = await openEvents(since, AbortSignal.any([stop, lost.signal]));
      if (response.ok) {
        waitMs = RETRY_MS;
        spread(null);
        for await (const { id, data } of eventsOf(response, lost)) {
          since = id;
          spread(JSON.parse(data) as TaskBody);
        }
      }
    } catch {
      // The service is away or refuses the stream. It is asked again.
    }
    await pause(waitMs, stop).catch(() => {});
    waitMs = Math.min(2 * waitMs, MAX_RETRY_MS);
  }
}

interface TaskEvent {
  readonly id: string;
  readonly data: string;
}

/** Reads the events of a stream. Aborts `lost` if the stream is silent for too long. */
async function* eventsOf(response: Response, lost: AbortController): AsyncGenerator<TaskEvent> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const timer = setTimeout(() => lost.abort(), SILENCE_MS);
    const { value, done } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    text += value;
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks) {
      const id = /^id: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (id !== undefined && data !== undefined) yield { id, data };
    }
  }
}
