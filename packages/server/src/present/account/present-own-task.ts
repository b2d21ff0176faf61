import type { TaskDetailBody, TaskSummaryBody } from '@guise/contract/account/own.ts';
import type { TaskType } from '@guise/contract/task.ts';
import type { FileLinks } from '../../storage/file-links.ts';
import type { StoredOutput, Task } from '../../tasks/task.ts';
import { linkOf, presentOutput } from '../ai-tasks/present-task.ts';

export function presentSummary(task: Task, links: FileLinks): TaskSummaryBody {
  const first = liveOutputs(task)[0];
  return {
    id: task.id,
    interface: task.interface,
    // The cast is safe, because hidden tasks are never listed.
    taskType: task.type as TaskType,
    status: task.status,
    progress: task.status === 'COMPLETED' ? 1 : task.progress,
    costCredits: task.costCredits,
    preview: first === undefined ? null : { ...linkOf(first, links), contentType: first.contentType },
    error: task.error,
    createdAt: task.createdAt.toISOString(),
    startedAt: task.startedAt?.toISOString() ?? null,
    completedAt: task.completedAt?.toISOString() ?? null,
  };
}

export function presentDetail(task: Task, links: FileLinks): Omit<TaskDetailBody, 'rerun'> {
  return {
    ...presentSummary(task, links),
    parameters: task.parameters,
    outputs: liveOutputs(task).map((output) => presentOutput(output, links)),
    failures: [...(task.result?.failures ?? [])],
    receipt: task.result?.receipt === undefined ? null : { ...task.result.receipt },
    timings: {
      queuedSeconds: secondsBetween(task.createdAt, task.startedAt),
      workedSeconds: secondsBetween(task.startedAt, task.completedAt),
    },
  };
}

/**
 * Returns the outputs that have not expired, including those whose files were deleted by the owner.
 * A failed task has none.
 */
function liveOutputs({ status, result }: Task): StoredOutput[] {
  if (status === 'FAILED' || result === null) return [];
  const now = Date.now();
  return result.outputs.filter((output) => Date.parse(output.expiresAt) > now);
}

function secondsBetween(from: Date | null, to: Date | null): number | null {
  return from === null || to === null ? null : (to.getTime() - from.getTime()) / 1000;
}
