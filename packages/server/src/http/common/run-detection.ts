import type { FastifyReply } from 'fastify';
import { AppError } from '@guise/contract/errors.ts';
import { cancelHiddenTask } from '../../tasks/cancel-hidden-task.ts';
import type { DetectedImage, StoredInput, Task, TaskInterface } from '../../tasks/task.ts';
import { waitForTask } from '../../tasks/wait-for-task.ts';
import type { HttpDeps } from './deps.ts';
import { gaveUp, abortWhenUnwanted } from './abort-when.ts';
import { createHiddenTask } from './create-hidden-task.ts';

/** Time for the first image. An image of 100 megapixels takes some seconds on a slow processor. */
const FIRST_IMAGE_WAIT_MS = 60_000;

/** Additional time for each further image. */
const FURTHER_IMAGE_WAIT_MS = 10_000;

interface DetectionOwner {
  readonly accountId: string;
  readonly interface?: TaskInterface;
  readonly withPreviews?: boolean;
}

/**
 * Detects faces by short hidden tasks and waits for them. Each image has its own task, so that a
 * large batch can use all idle engines and does not block other clients' photos. The tasks take
 * over the inputs.
 * @returns one entry for each input, in their order.
 * @throws AppError INVALID_FORMAT for the first damaged image, BUSY if the tasks were not done in
 * time.
 */
export async function runDetection(
  deps: HttpDeps,
  { accountId, interface: of = 'ai-tasks', withPreviews = false }: DetectionOwner,
  inputs: readonly StoredInput[],
  reply: FastifyReply,
): Promise<readonly DetectedImage[]> {
  const { database, notifications } = deps;
  const endsAt = performance.now() + FIRST_IMAGE_WAIT_MS + FURTHER_IMAGE_WAIT_MS * (inputs.length - 1);
  const taskIds: string[] = [];
  const images: DetectedImage[] = [];
  try {
    for (const input of inputs)
      taskIds.push(
        await createHiddenTask(
          database,
          { accountId, interface: of },
          { kind: 'detect-faces', images: [input], withPreviews },
        ),
      );
    await abortWhenUnwanted(deps, reply, async (signal) => {
      for (const [index, taskId] of taskIds.entries()) {
        const timeoutMs = endsAt - performance.now();
        const finished = await waitForTask(database, notifications, taskId, { timeoutMs, signal });
        if (finished === null) throw gaveUp(reply, 'look at the images');
        images.push(...facesOf(finished, inputs[index]!.field));
      }
    });
    return images;
  } finally {
    // Cancels the tasks without a result. This has no effect on a task that has ended.
    for (const taskId of taskIds.slice(images.length)) await cancelHiddenTask(database, taskId);
  }
}

/** @param field field of the task's image */
function facesOf(task: Task, field: string): readonly DetectedImage[] {
  const { result, error } = task;
  if (task.status === 'COMPLETED') return result!.images!;
  if (error?.code === 'DECODE_FAILED' || error?.code === 'RESOURCE_LIMIT') {
    throw new AppError('INVALID_FORMAT', error.message, { field });
  }
  throw new AppError('INTERNAL_ERROR', 'The service failed to look at the images.', {}, error);
}
