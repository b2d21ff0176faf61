import { TaskFailure } from '@guise/contract/errors.ts';

/** What a client is told of whatever went wrong; the cause is for the log. */
export function asTaskFailure(error: unknown): TaskFailure {
  if (error instanceof TaskFailure) return error;
  return new TaskFailure('INTERNAL_ERROR', 'The service failed on this task.', error);
}
