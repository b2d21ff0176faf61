import { TaskFailure } from '@guise/contract/errors.ts';

/** Returns the failure that a client is shown for any error; the cause is for the log. */
export function asTaskFailure(error: unknown): TaskFailure {
  if (error instanceof TaskFailure) return error;
  return new TaskFailure('INTERNAL_ERROR', 'The service failed on this task.', error);
}
