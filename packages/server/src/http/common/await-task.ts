import type { FastifyReply } from 'fastify';
import type { Task } from '../../tasks/task.ts';
import { waitForTask } from '../../tasks/wait-for-task.ts';
import type { HttpDeps } from '../deps.ts';

/** Decisions: 503 `BUSY`. */
const WAIT_MS = 60_000;
/** A process that leaves lets what is waited for finish, but not for ever. */
const SHUTDOWN_GRACE_MS = 10_000;

export type Awaited =
  | { readonly task: Task; readonly why: null }
  /** It did not end while somebody waited: the client left, the process leaves, or nobody served it in time. */
  | { readonly task: null; readonly why: 'gone' | 'shutdown' | 'late' };

/** Waits for short work on behalf of the client of a request. */
export async function awaitTask(deps: HttpDeps, taskId: string, reply: FastifyReply): Promise<Awaited> {
  const giveUp = new AbortController();
  const onClose = (): void => giveUp.abort();
  const onShutdown = (): void => void setTimeout(() => giveUp.abort(), SHUTDOWN_GRACE_MS).unref();
  if (reply.raw.destroyed) onClose();
  reply.raw.once('close', onClose);
  deps.shutdown.addEventListener('abort', onShutdown);
  try {
    const task = await waitForTask(deps.database, deps.notifications, taskId, {
      timeoutMs: WAIT_MS,
      signal: giveUp.signal,
    });
    if (task !== null) return { task, why: null };
    if (!giveUp.signal.aborted) return { task: null, why: 'late' };
    return { task: null, why: reply.raw.destroyed ? 'gone' : 'shutdown' };
  } finally {
    reply.raw.off('close', onClose);
    deps.shutdown.removeEventListener('abort', onShutdown);
  }
}
