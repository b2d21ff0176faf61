import { TaskFailure } from '@guise/contract/errors.ts';

/** Returns the failure that is shown to the client for any error. Its cause is for the log. */
export function asTaskFailure(error: unknown): TaskFailure {
  if (error instanceof TaskFailure) return error;
  return new TaskFailure('INTERNAL_ERROR', 'The service failed on this task.', error);
}
