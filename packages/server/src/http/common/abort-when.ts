import type { FastifyReply } from 'fastify';
import { AppError } from '@guise/contract/errors.ts';
import { ClientGone } from '../../intake/client-gone.ts';
import type { HttpDeps } from './deps.ts';

/** Time that running work gets to finish when the process is asked to stop. */
const SHUTDOWN_GRACE_MS = 10_000;

/** Runs `work` with a signal that is aborted when the client leaves or this process must stop. */
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
  // If the client has left already, no event will come.
  if (reply.raw.destroyed) onClose();
  if (shutdown.aborted) onShutdown();
  try {
    return await work(giveUp.signal);
  } finally {
    reply.raw.off('close', onClose);
    shutdown.removeEventListener('abort', onShutdown);
  }
}

/** Runs `work` with a signal that is aborted, with a `ClientGone`, when the client leaves. */
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

/**
 * Returns the error for an answer that was given up. @param what the work, such as `look at the
 * images`
 */
export function gaveUp(reply: FastifyReply, what: string): Error {
  return reply.raw.destroyed ? clientGone() : busy(what);
}

export function clientGone(): ClientGone {
  return new ClientGone('the client went away while it waited');
}

/** Makes the error that the service is too busy. @param what as for `gaveUp` */
export function busy(what: string): AppError {
  return new AppError('BUSY', `The service was too busy to ${what} in time; try again later.`);
}
