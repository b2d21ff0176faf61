import type { TasksBody } from '@guise/contract/account/own.ts';
import { isTerminal } from '@guise/contract/task.ts';
import { useTaskNews } from '../api/task-feed.ts';
import { useLoad } from '../api/use-load.ts';

/** Interval at which tasks are read, because the stream does not tell of those of /v1. */
const POLL_MS = 15_000;
/** Number of the newest tasks that are counted. */
const COUNTED_TASKS = 50;

/** Returns how many of the newest tasks have not ended. */
export function useRunningCount(): number {
  const { data, reload } = useLoad<TasksBody>(`tasks?limit=${COUNTED_TASKS}`, POLL_MS);
  useTaskNews(reload);
  return data?.tasks.filter(({ status }) => !isTerminal(status)).length ?? 0;
}
