import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@guise/contract/errors.ts';
import type { FastifyReply } from 'fastify';
import { underLease } from '../../db/lease.ts';
import { cancelHiddenTask } from '../../tasks/cancel-hidden-task.ts';
import type { ClipLook, LookAtClipOrder, StoredInput, Task } from '../../tasks/task.ts';
import { readAnyTask, waitForTask } from '../../tasks/wait-for-task.ts';
import { abortWhenUnwanted, gaveUp } from './abort-when.ts';
import { createHiddenTask } from './create-hidden-task.ts';
import type { HttpDeps } from './deps.ts';

/** Time after which a look answers with the result so far. */
const MAX_LOOK_MS = 20_000;
/** Time within which a look must have started. */
const MAX_WAIT_MS = 60_000;
/**
 * Time beyond `MAX_LOOK_MS` for the last slice, if it makes previews. It needs a second, but on a
 * busy machine it begins late, and without it the page shows nothing of some films.
 */
const PREVIEWS_MS = 60_000;
/**
 * Pause between two attempts to become the account's only look, and between two reads of the task.
 */
const RETRY_MS = 500;
/** Name of the work in error messages. */
const WORK = 'look at the clip';

/**
 * Finds out who is in a clip, by a short hidden task in slices. Each account has only one look at a
 * time; others wait. The task takes over the input.
 * @throws AppError INVALID_FORMAT for a damaged clip, BUSY if the look did not start in time
 */
export async function runClipLook(
  deps: HttpDeps,
  accountId: string,
  clip: StoredInput,
  withPreviews: boolean,
  reply: FastifyReply,
): Promise<ClipLook> {
  const work = { kind: 'look-at-clip', clip, maxMs: MAX_LOOK_MS, withPreviews } as const;
  const endsAt = performance.now() + MAX_WAIT_MS;
  let found: ClipLook | null = null;
  const look = async (): Promise<void> => {
    found = await abortWhenUnwanted(deps, reply, (signal) => lookOnce(deps, accountId, work, endsAt, signal));
  };
  while (!(await underLease(deps.database.pool, `clip-look ${accountId}`, look))) {
    if (reply.raw.destroyed || deps.shutdown.aborted || performance.now() > endsAt) throw gaveUp(reply, WORK);
    await delay(RETRY_MS);
  }
  if (found === null) throw gaveUp(reply, WORK);
  return found;
}

async function lookOnce(
  { database, notifications }: HttpDeps,
  accountId: string,
  work: LookAtClipOrder,
  endsAt: number,
  signal: AbortSignal,
): Promise<ClipLook | null> {
  const taskId = await createHiddenTask(database, { accountId, interface: 'ai-tasks' }, work);
  const longestMs = MAX_LOOK_MS + (work.withPreviews ? PREVIEWS_MS : 2 * RETRY_MS);
  let finished: Task | null = null;
  try {
    while (!signal.aborted) {
      const options = { timeoutMs: RETRY_MS, signal };
      finished = await waitForTask(database, notifications, taskId, options);
      if (finished !== null) return lookOf(finished);
      const sofar = (await readAnyTask(database, taskId))?.result?.clipLook;
      if (sofar === undefined && performance.now() > endsAt) return null;
      // Perhaps no further slice has run, so the result so far is the answer.
      if (sofar !== undefined && Date.now() - sofar.startedAtMs > longestMs) return sofar;
    }
    return null;
  } finally {
    if (finished === null) await cancelHiddenTask(database, taskId);
  }
}

function lookOf({ status, result, error }: Task): ClipLook {
  if (status === 'COMPLETED') return result!.clipLook!;
  if (error?.code === 'DECODE_FAILED' || error?.code === 'RESOURCE_LIMIT')
    throw new AppError('INVALID_FORMAT', error.message);
  throw new AppError('INTERNAL_ERROR', 'The service failed to look at the clip.', {}, error);
}
