import type { FastifyReply } from 'fastify';
import { AppError } from '@guise/contract/errors.ts';
import { copyInputs } from '../../intake/copy-inputs.ts';
import { discardInputs } from '../../intake/discard-inputs.ts';
import { cancelHiddenTask } from '../../tasks/cancel-hidden-task.ts';
import { readSmallWebp } from '../../tasks/small-webp.ts';
import type { CheckFaceOrder, StoredInput, Task, TaskResult } from '../../tasks/task.ts';
import { waitForTask } from '../../tasks/wait-for-task.ts';
import { abortWhenUnwanted, gaveUp } from './abort-when.ts';
import { createHiddenTask } from './create-hidden-task.ts';
import type { HttpDeps } from './deps.ts';

/** Longest time for the check of a face's photos. */
const WAIT_MS = 90_000;
/** Largest thumbnail of a face, bytes. */
const MAX_THUMBNAIL_BYTES = 100_000;

/**
 * Checks by a hidden task that photos show one person. The task works on copies, which it deletes.
 * @returns a small WebP of the face; null if it could not be made
 * @throws AppError NO_FACE_DETECTED, INVALID_REQUEST or INVALID_FORMAT naming the photo; BUSY
 */
export async function checkFace(
  deps: HttpDeps,
  accountId: string,
  photos: readonly StoredInput[],
  reply: FastifyReply,
): Promise<Buffer | null> {
  const store = { pool: deps.database.pool, storage: deps.storage };
  const copies = await copyInputs(photos, accountId, store);
  if (copies === null) throw new Error('the photos of a face were swept before they were checked');
  try {
    const { faceThumbnail } = await lookAt(deps, accountId, { kind: 'check-face', photos: copies }, reply);
    return readSmallWebp(faceThumbnail, MAX_THUMBNAIL_BYTES);
  } catch (error) {
    await discardInputs(copies, store);
    throw error;
  }
}

/**
 * Has a hidden task look at the photo of a person for the blocklist.
 * @returns the embedding of the face, from `sealEmbedding`
 * @throws AppError as `checkFace`, also if the photo shows several faces
 */
export async function sealFace(
  deps: HttpDeps,
  accountId: string,
  photo: StoredInput,
  reply: FastifyReply,
): Promise<Buffer> {
  const order = { kind: 'check-face', photos: [photo], forBlocklist: true } as const;
  const { sealedEmbedding } = await lookAt(deps, accountId, order, reply);
  if (sealedEmbedding === undefined) throw new Error('the worker gave no embedding');
  return Buffer.from(sealedEmbedding, 'base64');
}

/** Has a hidden task look at photos, and waits for it. The task takes over the photos. */
async function lookAt(
  deps: HttpDeps,
  accountId: string,
  order: CheckFaceOrder,
  reply: FastifyReply,
): Promise<TaskResult> {
  const { database, notifications } = deps;
  const taskId = await createHiddenTask(database, { accountId, interface: 'ai-tasks' }, order);
  let finished: Task | null = null;
  try {
    finished = await abortWhenUnwanted(deps, reply, (signal) =>
      waitForTask(database, notifications, taskId, { timeoutMs: WAIT_MS, signal }),
    );
  } finally {
    if (finished === null) await cancelHiddenTask(database, taskId);
  }
  if (finished === null) throw gaveUp(reply, 'look at the photos');
  if (finished.status !== 'COMPLETED') throw refusalOf(finished, order.photos);
  return finished.result!;
}

function refusalOf({ error }: Task, photos: readonly StoredInput[]): AppError {
  const message = error?.message ?? '';
  // A message about two photos begins with the one that is to blame.
  const named = photos.map(({ field }) => field).filter((field) => message.includes(field));
  const field =
    named.toSorted((a, b) => message.indexOf(a) - message.indexOf(b))[0] ??
    photos[0]!.field.replace(/\[.*/, '');
  switch (error?.code) {
    case 'NO_FACE_DETECTED':
      return new AppError('NO_FACE_DETECTED', message, { field });
    case 'FACE_BLOCKED':
      return new AppError('FACE_BLOCKED', message, { field });
    case 'FACE_MISMATCH':
      return new AppError('INVALID_REQUEST', message, { field });
    case 'DECODE_FAILED':
    case 'RESOURCE_LIMIT':
      return new AppError('INVALID_FORMAT', message, { field });
    default:
      return new AppError('INTERNAL_ERROR', 'The service failed to look at the photos.', {}, error);
  }
}
