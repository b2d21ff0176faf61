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
    fileName: targetNameOf(task),
    preview: first === undefined ? null : presentPreview(first, links),
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
    thumbnailUrls: liveOutputs(task).map((output) => thumbnailLink(output, links)),
    failures: [...(task.result?.failures ?? [])],
    receipt: task.result?.receipt === undefined ? null : { ...task.result.receipt },
    timings: {
      queuedSeconds: secondsBetween(task.createdAt, task.startedAt),
      workedSeconds: secondsBetween(task.startedAt, task.completedAt),
    },
  };
}

function presentPreview(output: StoredOutput, links: FileLinks): NonNullable<TaskSummaryBody['preview']> {
  const thumbnailUrl = thumbnailLink(output, links);
  return {
    ...linkOf(output, links),
    contentType: output.contentType,
    ...(thumbnailUrl === null ? {} : { thumbnailUrl }),
  };
}

/** Returns the link to an output's thumbnail; null if it has none, or was deleted with it. */
function thumbnailLink(
  { thumbnailKey, deletedAt, expiresAt }: StoredOutput,
  links: FileLinks,
): string | null {
  if (thumbnailKey === undefined || deletedAt !== undefined) return null;
  return links.sign(thumbnailKey, new Date(expiresAt));
}

/** Form fields with the file that is changed, by type of task. */
const TARGET_FIELDS: Readonly<Record<TaskType, string>> = {
  IMAGE_SWAP: 'targetImage',
  BATCH_FACE_SWAP: 'targetImages',
  MULTI_FACE_SWAP: 'sourceImage',
  VIDEO_SWAP: 'targetVideo',
  GIF_FACE_SWAP: 'targetGif',
};

/** Returns the name of the first file that is changed. */
function targetNameOf({ type, parameters }: Task): string | null {
  const files = [parameters[TARGET_FIELDS[type as TaskType]]].flat() as ({ name?: unknown } | undefined)[];
  const name = files[0]?.name;
  return typeof name === 'string' && name !== '' ? name : null;
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
