import type { FastifyReply } from 'fastify';
import { AppError } from '@guise/contract/errors.ts';
import { cancelHiddenTask } from '../../tasks/cancel-hidden-task.ts';
import { createTask } from '../../tasks/create-task.ts';
import type { DetectedImage, StoredInput, Task, TaskInterface } from '../../tasks/task.ts';
import { ClientGone } from '../../intake/client-gone.ts';
import type { HttpDeps } from '../deps.ts';
import { awaitTask } from './await-task.ts';

/**
 * Has the worker look for faces, as a short hidden task, and waits for it. The task owns the inputs from here on.
 * @returns one entry an input, in their order.
 * @throws AppError INVALID_FORMAT for an image that turns out damaged, BUSY where nobody served it in time.
 */
export async function runDetection(
  deps: HttpDeps,
  {
    accountId,
    interface: of = 'ai-tasks',
  }: { readonly accountId: string; readonly interface?: TaskInterface },
  inputs: readonly StoredInput[],
  reply: FastifyReply,
): Promise<readonly DetectedImage[]> {
  const { task } = await createTask(deps.database, {
    accountId,
    interface: of,
    type: 'DETECT_FACES',
    lane: 'short',
    parameters: {},
    work: { kind: 'detect-faces', images: inputs },
    costCredits: 0,
  });
  const { task: finished, why } = await awaitTask(deps, task!.id, reply);
  if (finished === null) {
    await cancelHiddenTask(deps.database, task!.id);
    if (why === 'gone') throw new ClientGone('the client went away while it waited');
    throw new AppError('BUSY', 'The service was too busy to look at the images in time; try again later.');
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
