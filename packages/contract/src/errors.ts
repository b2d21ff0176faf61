/**
 * Every failure that a client may see, once. The core throws `AppError`; each wire interface renders it by its own
 * table, so a sentence is written where the rule is checked and a status is written here.
 */

/** Request errors: HTTP status on `/api/ai-tasks`. */
export const REQUEST_ERROR_STATUS = {
  INVALID_REQUEST: 400,
  INVALID_FORMAT: 400,
  FILE_TOO_LARGE: 400,
  UNAUTHENTICATED: 401,
  INSUFFICIENT_CREDITS: 402,
  EMAIL_NOT_VERIFIED: 403,
  NOT_FOUND: 404,
  IDEMPOTENCY_CONFLICT: 409,
  TASK_FINISHED: 409,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  BUSY: 503,
} as const;

/** Codes of a task that ended FAILED, and of one failed item of a batch. */
export const FAILURE_CODES = [
  'NO_FACE_DETECTED',
  'FACE_NOT_FOUND',
  'FACE_BOX_MISMATCH',
  'FACE_BOX_CONFLICT',
  'DECODE_FAILED',
  'RESOURCE_LIMIT',
  'DEADLINE_EXCEEDED',
  'WORKER_LOST',
  'INTERNAL_ERROR',
] as const;

export type RequestErrorCode = keyof typeof REQUEST_ERROR_STATUS;
export type FailureCode = (typeof FAILURE_CODES)[number];

/** Numbers that accompany an error on the wire; nothing else may. */
export interface ErrorDetails {
  /** Credits the request costs (402). */
  required?: number;
  /** Credits the account can spend (402). */
  available?: number;
  /** The limit that was passed: bytes, count, seconds or, on 429, requests in the window. */
  limit?: number;
  /** Whole seconds until the rate window ends (429). */
  resetSeconds?: number;
}

/** A failure of the request: `message` is one plain public sentence, the cause stays in the logs. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: RequestErrorCode;
  readonly details: ErrorDetails;

  constructor(code: RequestErrorCode, message: string, details: ErrorDetails = {}, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.details = details;
  }
}

/** A failure of the work itself: ends a task (or one batch item) with a code. */
export class TaskFailure extends Error {
  override readonly name = 'TaskFailure';
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
