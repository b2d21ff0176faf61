import type { TaskSummaryBody } from '@guise/contract/account/own.ts';
import { useProgress } from '../api/task-feed.ts';

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
