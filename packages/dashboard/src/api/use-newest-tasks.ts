import type { TaskSummaryBody, TasksBody } from '@guise/contract/account/own.ts';
import { useTaskNews } from './task-feed.ts';
import { useLoad } from './use-load.ts';

/** Interval at which tasks are read, because the stream does not tell of those of /v1. */
const POLL_MS = 15_000;

/** Returns the account's newest tasks, up to date. Empty until they are loaded. */
export function useNewestTasks(count: number): readonly TaskSummaryBody[] {
  const { data, reload } = useLoad<TasksBody>(`tasks?limit=${count}`, POLL_MS);
  useTaskNews(reload);
  return data?.tasks ?? [];
}
