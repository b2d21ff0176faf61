import type { Error as ErrorBody, Task } from './api-types.ts';

/** Message of an error without an answer. */
const UNREACHABLE = 'The service cannot be reached. Check your connection and try again.';

/** An error answer of the service, or a lost connection. The message is written for users. */
export class GuiseError extends Error {
  override readonly name: string = 'GuiseError';
  /** HTTP status; 0 if the service cannot be reached. */
  readonly status: number;
  /** Code of the error, such as `INSUFFICIENT_CREDITS`; empty if the answer has none. */
  readonly code: string;
  /** The form field that the error is about, if the service names one. */
  readonly field: string | undefined;
  /** What else the answer says, such as `required` and `available` credits. */
  readonly body: Partial<ErrorBody>;
  /** `X-Request-Id` of the answer, by which an operator finds the request in the log. */
  readonly requestId: string | null;

  constructor(status: number, body: Partial<ErrorBody> = {}, requestId: string | null = null) {
    super(body.error ?? (status === 0 ? UNREACHABLE : `The service answered ${status}.`));
    this.status = status;
    this.code = body.code ?? '';
    this.field = body.field;
    this.body = body;
    this.requestId = requestId;
  }
}

/**
 * Thrown by `wait` for a task that failed or was cancelled. Nothing was charged for what failed.
 */
export class TaskEndedError extends Error {
  override readonly name: string = 'TaskEndedError';
  /** Why it failed, such as `NO_FACE_DETECTED`; `CANCELLED` if it was cancelled. */
  readonly code: string;
  /** The task. A cancelled batch still has its finished outputs. */
  readonly task: Task;

  constructor(task: Task) {
    const error = task.result !== null && 'error' in task.result ? task.result.error : undefined;
    super(error?.message ?? 'The task was cancelled.');
    this.code = error?.code ?? task.status;
    this.task = task;
  }
}
