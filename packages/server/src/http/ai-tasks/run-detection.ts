import type { FastifyReply } from 'fastify';
import { AppError } from '@guise/contract/errors.ts';
import { cancelHiddenTask } from '../../tasks/cancel-hidden-task.ts';
import { createTask } from '../../tasks/create-task.ts';
import type { DetectedImage, StoredInput, Task } from '../../tasks/task.ts';
import { waitForTask } from '../../tasks/wait-for-task.ts';
import type { HttpDeps } from '../deps.ts';
import { gaveUp, whileAwaited } from './patience.ts';

const WAIT_MS = 60_000;

/**
 * Has the worker look for faces, as a short hidden task, and waits for it. The task owns the inputs from here on.
 * @returns one entry an input, in their order.
 * @throws AppError INVALID_FORMAT for an image that turns out damaged, BUSY where nobody served it in time.
 */
export async function runDetection(
  deps: HttpDeps,
  accountId: string,
  inputs: readonly StoredInput[],
  reply: FastifyReply,
): Promise<readonly DetectedImage[]> {
  const { task } = await createTask(deps.database, {
    accountId,
    interface: 'ai-tasks',
    type: 'DETECT_FACES',
    lane: 'short',
    parameters: {},
    work: { kind: 'detect-faces', images: inputs },
    costCredits: 0,
  });
  const finished = await whileAwaited(deps, reply, (signal) =>
    waitForTask(deps.database, deps.notifications, task!.id, { timeoutMs: WAIT_MS, signal }),
  );
  if (finished === null) {
    await cancelHiddenTask(deps.database, task!.id);
    throw gaveUp(reply, 'look at the images');
  }
  return facesOf(finished);
}

function facesOf(task: Task): readonly DetectedImage[] {
  const { result, error } = task;
  if (task.status === 'COMPLETED') return result!.images!;
  if (error?.code === 'DECODE_FAILED' || error?.code === 'RESOURCE_LIMIT') {
    throw new AppError('INVALID_FORMAT', error.message);
  }
  throw new AppError('INTERNAL_ERROR', 'The service failed to look at the images.', {}, error);
}
