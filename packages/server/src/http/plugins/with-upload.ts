import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '@guise/contract/errors.ts';
import { FairLimiter } from '../../intake/fair-limiter.ts';
import type { PromisedRoom } from '../../storage/disk-room.ts';
import type { HttpDeps } from '../common/deps.ts';
import { refundRate } from './admission.ts';
import { sendContinue } from './drain.ts';
import { abortWhenUnwanted, clientGone } from '../common/abort-when.ts';

/**
 * Largest number of uploads of one account that this process reads at the same time. Further ones
 * wait.
 */
export const MAX_UPLOADS_PER_ACCOUNT = 8;

/** Stands for the account of clients that need none. They share the limits of one account. */
export const ANONYMOUS = 'anonymous';

/**
 * Time after which a client should try again if its upload was not read in time. Most uploads take
 * less.
 */
const RETRY_AFTER_SECONDS = 30;

/**
 * Limits uploads of each account. Uploads of all accounts together are only limited by disk space.
 */
const uploadLimiter = new FairLimiter(Infinity, MAX_UPLOADS_PER_ACCOUNT);

/**
 * Reads the body of a POST with files, within the account's limit and with reserved disk space.
 * @param accountId the account; `ANONYMOUS` for all clients without one.
 * @param maxBytes largest valid body; used for the reservation if the client announces no length.
 * @throws AppError RATE_LIMITED if the reading could not start in time, BUSY if there is too little
 * space;
 *   what `read` throws.
 */
export async function withUpload<T>(
  deps: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { accountId, maxBytes }: { readonly accountId: string; readonly maxBytes: number },
  read: (room: PromisedRoom) => Promise<T>,
): Promise<T> {
  return await withinLimit(deps, accountId, request, reply, async () => {
    const room = await deps.storage.scratch.promiseRoom(accountId, announcedBytes(request, maxBytes));
    try {
      sendContinue(request.raw, reply.raw);
      return await read(room);
    } finally {
      room.release();
    }
  });
}

/** Returns the number of bytes to reserve. The reader refuses bytes beyond `maxBytes`. */
function announcedBytes({ headers }: FastifyRequest, maxBytes: number): number {
  const length = headers['content-length'];
  return length === undefined ? maxBytes : Math.min(Number(length), maxBytes);
}

async function withinLimit<T>(
  deps: HttpDeps,
  accountId: string,
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<T>,
): Promise<T> {
  let began = false;
  try {
    return await abortWhenUnwanted(deps, reply, (left) => {
      const signal = AbortSignal.any([left, AbortSignal.timeout(deps.patienceMs)]);
      return uploadLimiter.run(
        () => {
          began = true;
          return work();
        },
        { accountId, signal },
      );
    });
  } catch (error) {
    if (began) throw error;
    if (reply.raw.destroyed) throw clientGone();
    await refundRate(deps.database, request, reply);
    throw tooManyUploads(accountId);
  }
}

function tooManyUploads(accountId: string): AppError {
  const whose = accountId === ANONYMOUS ? 'without an account' : 'of one account';
  return new AppError(
    'RATE_LIMITED',
    `At most ${MAX_UPLOADS_PER_ACCOUNT} uploads ${whose} are read at a time; try again in ${RETRY_AFTER_SECONDS} seconds.`,
    { limit: MAX_UPLOADS_PER_ACCOUNT, resetSeconds: RETRY_AFTER_SECONDS },
  );
}
