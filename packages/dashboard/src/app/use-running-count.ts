import type { TasksBody } from '@guise/contract/account/own.ts';
import { isTerminal } from '@guise/contract/task.ts';
import { useTaskNews } from '../api/task-feed.ts';
import { useLoad } from '../api/use-load.ts';

/** Number of the newest tasks that are counted. */
const COUNTED_TASKS = 50;

/** Returns how many of the newest tasks have not ended. */
export function useRunningCount(): number {
  const { data, reload } = useLoad<TasksBody>(`tasks?limit=${COUNTED_TASKS}`);
  useTaskNews(reload);
  return data?.tasks.filter(({ status }) => !isTerminal(status)).length ?? 0;
}
