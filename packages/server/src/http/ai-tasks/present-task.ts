import type { TaskBody, TaskResultBody } from '@guise/contract/ai-tasks/schemas.ts';
import type { TaskType } from '@guise/contract/task.ts';
import type { FileLinks } from '../../storage/file-links.ts';
import type { StoredInput, StoredOutput, Task } from '../../tasks/task.ts';

/** A task as the spec's table has it. */
export function presentTask(task: Task, links: FileLinks): TaskBody {
  return {
    id: task.id,
    // Hidden tasks are never read by id.
    taskType: task.type as TaskType,
    status: task.status,
    costCredits: task.costCredits,
    parameters: task.parameters,
    result: presentResult(task, links),
    createdAt: task.createdAt.toISOString(),
    startedAt: task.startedAt?.toISOString() ?? null,
    completedAt: task.completedAt?.toISOString() ?? null,
  };
}

/** Decisions: `result`. */
function presentResult(task: Task, links: FileLinks): TaskResultBody {
  const outputs = task.result?.outputs.map((output) => presentOutput(output, links)) ?? [];
  switch (task.status) {
    case 'PENDING':
    case 'CANCELLED':
      return null;
    case 'PROCESSING':
      return { progress: task.progress, outputs };
    case 'COMPLETED':
      return { outputs, failures: [...task.result!.failures], receipt: task.result!.receipt! };
    case 'FAILED':
      return { error: { code: task.error!.code, message: task.error!.message } };
  }
}

function presentOutput(output: StoredOutput, links: FileLinks) {
  return {
    index: output.index,
    url: links.sign(output.objectKey, new Date(output.expiresAt)),
    contentType: output.contentType,
    width: output.width,
    height: output.height,
    bytes: output.sizeBytes,
    expiresAt: output.expiresAt,
    sha256: output.sha256,
  };
}

/** What `parameters` says of an uploaded file. */
export function presentInput(input: StoredInput): Record<string, unknown> {
  return {
    name: input.fileName,
    type: input.contentType,
    bytes: input.sizeBytes,
    width: input.width,
    height: input.height,
  };
}
