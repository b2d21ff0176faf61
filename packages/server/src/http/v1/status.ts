import type { FastifyRequest } from 'fastify';
import { AppError } from '@guise/contract/errors.ts';
import type { V1Job } from '@guise/contract/v1/schemas.ts';
import { taskIdOf } from '../../present/v1/job-id.ts';
import { presentJob } from '../../present/v1/present-job.ts';
import { cancelTask } from '../../tasks/cancel-task.ts';
import type { TaskAddress } from '../../tasks/get-task.ts';
import type { Task } from '../../tasks/task.ts';
import { requireNoQuery } from '../common/query.ts';
import type { HttpDeps } from '../common/deps.ts';
import { callerOf } from '../plugins/admission.ts';

/** Path of a job's status. */
export const STATUS_PATH = '/v1/status/:jobId';

/** Answers GET with the current state of the job. */
export function readJob(deps: HttpDeps) {
  return (request: FastifyRequest): V1Job => {
    // The check is here and not in the hook, because an invalid request must be counted before it
    // is refused.
    addressOf(request);
    return presentJob(found(request.polledTask), deps.links);
  };
}

/** Cancels a job (docs/spec/details#cancel). */
export function cancelJob(deps: HttpDeps) {
  return async (request: FastifyRequest): Promise<V1Job> => {
    const task = await cancelTask(deps.database, addressOf(request), deps.ending);
    return presentJob(found(task), deps.links);
  };
}

/**
 * Returns the task id of the job in the path; null if the path cannot name a job. Used by the
 * admission hook.
 */
export function jobTaskId(request: FastifyRequest): string | null {
  return taskIdOf((request.params as { jobId: string }).jobId);
}

/**
 * Returns the address of the job in the path. An image swap is not a job, because the answer to its
 * request contains the result.
 */
function addressOf(request: FastifyRequest): TaskAddress {
  requireNoQuery(request);
  const taskId = jobTaskId(request);
  if (taskId === null) throw notFound();
  return {
    accountId: callerOf(request).id,
    taskId,
    interface: 'v1',
    type: ['VIDEO_SWAP', 'BATCH_FACE_SWAP'],
  };
}

/**
 * Returns the task. A task that is unknown, of another account or not a job gives the same error,
 * so that nobody learns which it is.
 */
function found(task: Task | null): Task {
  if (task === null) throw notFound();
  return task;
}

function notFound(): AppError {
  return new AppError('NOT_FOUND', 'There is no such job.');
}
