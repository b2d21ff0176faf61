import type { TaskSummaryBody } from '@guise/contract/account/own.ts';
import { isTerminal } from '@guise/contract/task.ts';
import { useLiveTask } from '../api/task-feed.ts';

/** Shows a task's status as a coloured dot with its word, and how far an unfinished task is. */
export function StatusDot({ task }: { task: TaskSummaryBody }) {
  const progress = useProgress(task);
  const isDeleted = task.status === 'COMPLETED' && task.preview?.url === undefined;
  const word = isDeleted ? 'deleted' : task.status.toLowerCase();
  return (
    <span className="status" data-status={isDeleted ? 'DELETED' : task.status}>
      {word}
      {task.status === 'PROCESSING' && ` ${Math.round(progress * 100)} %`}
    </span>
  );
}

/** Returns how far a task is, 0 to 1, as the stream of events tells. */
export function useProgress({ id, status, progress }: TaskSummaryBody): number {
  const result = useLiveTask(id)?.result ?? null;
  if (isTerminal(status) || result === null || !('progress' in result)) return progress;
  return Math.max(progress, result.progress);
}
