import type { FastifyReply } from 'fastify';
import type { Task } from '../../tasks/task.ts';
import { waitForTask } from '../../tasks/wait-for-task.ts';
import type { HttpDeps } from './deps.ts';
import { abortWhenUnwanted } from './abort-when.ts';

export type Awaited =
  | { readonly task: Task; readonly why: null }
  /**
   * The task is unfinished: the client left, the process is stopping, or the task took too long.
   */
  | { readonly task: null; readonly why: 'gone' | 'shutdown' | 'late' };

/** Waits for short work of a client's request. */
export async function awaitTask(deps: HttpDeps, taskId: string, reply: FastifyReply): Promise<Awaited> {
  return abortWhenUnwanted(deps, reply, async (signal) => {
    const { database, notifications, patienceMs } = deps;
    const task = await waitForTask(database, notifications, taskId, { timeoutMs: patienceMs, signal });
    if (task !== null) return { task, why: null };
    if (!signal.aborted) return { task: null, why: 'late' };
    return { task: null, why: reply.raw.destroyed ? 'gone' : 'shutdown' };
  });
}
