import type { FastifyReply } from 'fastify';
import { AppError } from '@guise/contract/errors.ts';
import { copyInputs } from '../../intake/copy-inputs.ts';
import { discardInputs } from '../../intake/discard-inputs.ts';
import { cancelHiddenTask } from '../../tasks/cancel-hidden-task.ts';
import { readSmallWebp } from '../../tasks/small-webp.ts';
import type { StoredInput, Task } from '../../tasks/task.ts';
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
  const { database, notifications } = deps;
  const store = { pool: database.pool, storage: deps.storage };
  const copies = await copyInputs(photos, accountId, store);
  if (copies === null) throw new Error('the photos of a face were swept before they were checked');
  const taskId = await createHiddenTask(
    database,
    { accountId, interface: 'ai-tasks' },
    { kind: 'check-face', photos: copies },
  ).catch(async (error: unknown) => {
    await discardInputs(copies, store);
    throw error;
  });
  let finished: Task | null = null;
  try {
    finished = await abortWhenUnwanted(deps, reply, (signal) =>
      waitForTask(database, notifications, taskId, { timeoutMs: WAIT_MS, signal }),
    );
  } finally {
    if (finished === null) await cancelHiddenTask(database, taskId);
  }
  if (finished === null) throw gaveUp(reply, 'look at the photos');
  if (finished.status !== 'COMPLETED') throw refusalOf(finished, photos);
  return readSmallWebp(finished.result?.faceThumbnail, MAX_THUMBNAIL_BYTES);
}

function refusalOf({ error }: Task, photos: readonly StoredInput[]): AppError {
  const message = error?.message ?? '';
  // A message about two photos begins with the one that is to blame.
  const named = photos.map(({ field }) => field).filter((field) => message.includes(field));
  const field = named.toSorted((a, b) => message.indexOf(a) - message.indexOf(b))[0] ?? 'photos';
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
