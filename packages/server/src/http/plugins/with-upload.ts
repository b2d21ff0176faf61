import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '@guise/contract/errors.ts';
import { Turns } from '../../intake/turns.ts';
import type { PromisedRoom } from '../../storage/disk-room.ts';
import type { HttpDeps } from '../common/deps.ts';
import { callerOf, refundRate } from './admission.ts';
import { sendContinue } from './drain.ts';
import { abortWhenUnwanted, clientGone } from '../common/abort-when.ts';

/** Uploads of one account that are read at once by this process; more wait, unread. */
export const UPLOADS_OF_ONE_ACCOUNT = 8;
/** Time after which a client may try again that waited for its turn in vain: most uploads take less. */
const RETRY_SECONDS = 30;

const turns = new Turns(Infinity, UPLOADS_OF_ONE_ACCOUNT);

/**
 * Reads the body of a POST that brings files, in its account's turn and with room on the disk for all of it.
 * @param mostBytes that a right body has; promised where the client does not say how long its own is.
 * @throws AppError RATE_LIMITED where its turn does not come in time, BUSY where there is no room; what `read` throws.
 */
export async function withUpload<T>(
  deps: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  mostBytes: number,
  read: (room: PromisedRoom) => Promise<T>,
): Promise<T> {
  const accountId = callerOf(request).id;
  return await inTurn(deps, request, reply, async () => {
    const room = await deps.storage.promiseRoom(accountId, announcedBytes(request, mostBytes));
    try {
      sendContinue(request.raw, reply.raw);
      return await read(room);
    } finally {
      room.release();
    }
  });
}

/** Reads how much the client will send; a longer body is refused when `mostBytes` of it came. */
function announcedBytes({ headers }: FastifyRequest, mostBytes: number): number {
  const length = headers['content-length'];
  return length === undefined ? mostBytes : Math.min(Number(length), mostBytes);
}

async function inTurn<T>(
  deps: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<T>,
): Promise<T> {
  const accountId = callerOf(request).id;
  let began = false;
  try {
    return await abortWhenUnwanted(deps, reply, (left) => {
      const signal = AbortSignal.any([left, AbortSignal.timeout(deps.patienceMs)]);
      return turns.take(
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
    throw tooManyUploads();
  }
}

function tooManyUploads(): AppError {
  return new AppError(
    'RATE_LIMITED',
    `At most ${UPLOADS_OF_ONE_ACCOUNT} uploads of one account are read at a time; try again in ${RETRY_SECONDS} seconds.`,
    { limit: UPLOADS_OF_ONE_ACCOUNT, resetSeconds: RETRY_SECONDS },
  );
}
