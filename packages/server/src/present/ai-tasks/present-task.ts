import type { OutputBody, ReceiptBody, TaskBody, TaskResultBody } from '@guise/contract/ai-tasks/schemas.ts';
import type { TaskType } from '@guise/contract/task.ts';
import type { FileLinks } from '../../storage/file-links.ts';
import type { Receipt, StoredOutput, Task } from '../../tasks/task.ts';

/** Presents a task in the form of the specification. */
export function presentTask(task: Task, links: FileLinks): TaskBody {
  return {
    id: task.id,
    // The cast is safe, because hidden tasks are never read by id.
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

/** Presents `result` by status (docs/spec/ai-tasks#result). */
function presentResult({ status, progress, result, error }: Task, links: FileLinks): TaskResultBody {
  const outputs = result?.outputs.map((output) => presentOutput(output, links)) ?? [];
  const failures = [...(result?.failures ?? [])];
  switch (status) {
    case 'PENDING':
      return null;
    case 'PROCESSING':
      return { progress, outputs };
    case 'COMPLETED':
      return { outputs, failures, receipt: presentReceipt(result!.receipt!) };
    case 'CANCELLED':
      // Delivered outputs of a cancelled batch were paid for and are kept.
      return outputs.length === 0 ? null : { outputs, failures, receipt: presentReceipt(result!.receipt!) };
    case 'FAILED': {
      const { code, message } = error!;
      return { error: { code, message }, ...(failures.length === 0 ? {} : { failures }) };
    }
  }
}

function presentReceipt({ warnings, persons, ...rest }: Receipt): ReceiptBody {
  return {
    ...rest,
    ...(persons === undefined ? {} : { persons: [...persons] }),
    ...(warnings === undefined || warnings.length === 0 ? {} : { warnings: [...warnings] }),
  };
}

export function presentOutput(output: StoredOutput, links: FileLinks): OutputBody {
  return {
    index: output.index,
    ...linkOf(output, links),
    contentType: output.contentType,
    width: output.width,
    height: output.height,
    bytes: output.sizeBytes,
    ...(output.durationSeconds === undefined ? {} : { durationSeconds: output.durationSeconds }),
    ...(output.deletedAt === undefined ? { expiresAt: output.expiresAt } : {}),
    sha256: output.sha256,
  };
}

/** Presents the link to an output, or the time when its file was deleted. */
export function linkOf(output: StoredOutput, links: FileLinks): Pick<OutputBody, 'url' | 'deletedAt'> {
  return output.deletedAt === undefined
    ? { url: links.sign(output.objectKey, new Date(output.expiresAt)) }
    : { deletedAt: output.deletedAt };
}
