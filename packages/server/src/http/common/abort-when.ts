import type { FastifyReply } from 'fastify';
import { AppError } from '@guise/contract/errors.ts';
import { ClientGone } from '../../intake/client-gone.ts';
import type { HttpDeps } from './deps.ts';

/** Time that the work behind an answer gets when the process is asked to leave. */
const SHUTDOWN_GRACE_MS = 10_000;

/**
 * Runs `work` with a signal that is aborted when nobody will read its answer any more, or this
 * process must leave.
 */
export async function abortWhenUnwanted<T>(
  { shutdown }: Pick<HttpDeps, 'shutdown'>,
  reply: FastifyReply,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const giveUp = new AbortController();
  const onClose = (): void => giveUp.abort();
  const onShutdown = (): void => void setTimeout(() => giveUp.abort(), SHUTDOWN_GRACE_MS).unref();
  reply.raw.once('close', onClose);
  shutdown.addEventListener('abort', onShutdown);
  // Gone already: no event will come any more.
  if (reply.raw.destroyed) onClose();
  if (shutdown.aborted) onShutdown();
  try {
    return await work(giveUp.signal);
  } finally {
    reply.raw.off('close', onClose);
    shutdown.removeEventListener('abort', onShutdown);
  }
}

/** Runs `work` with a signal that is aborted when the client goes; its reason is `ClientGone`. */
export async function abortWhenClientLeaves<T>(
  reply: FastifyReply,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = new AbortController();
  const onClose = (): void => gone.abort(clientGone());
  if (reply.raw.destroyed) onClose();
  reply.raw.once('close', onClose);
  try {
    return await work(gone.signal);
  } finally {
    reply.raw.off('close', onClose);
  }
}

/** Returns why an answer was given up on. @param what the work, as in `look at the images` */
export function gaveUp(reply: FastifyReply, what: string): Error {
  return reply.raw.destroyed ? clientGone() : busy(what);
}

export function clientGone(): ClientGone {
  return new ClientGone('the client went away while it waited');
}

/** Makes the error of a service that is too busy. @param what as for `gaveUp` */
export function busy(what: string): AppError {
  return new AppError('BUSY', `The service was too busy to ${what} in time; try again later.`);
}
