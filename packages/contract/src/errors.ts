/**
 * Every failure that a client may see, once. The core throws `AppError`; each wire interface
 * renders it by its own table, so a sentence is written where the rule is checked and a status is
 * written here.
 */

/** Request errors: HTTP status, the same on both interfaces. */
export const REQUEST_ERROR_STATUS = {
  INVALID_REQUEST: 400,
  INVALID_FORMAT: 400,
  FILE_TOO_LARGE: 400,
  IMAGE_TOO_LARGE: 400,
  VIDEO_TOO_LARGE: 400,
  VIDEO_TOO_LONG: 400,
  RESOLUTION_TOO_HIGH: 400,
  BATCH_TOO_LARGE: 400,
  MEDIA_UNREACHABLE: 400,
  INVALID_WEBHOOK_URL: 400,
  NO_FACE_DETECTED: 400,
  FACE_INDEX_OUT_OF_RANGE: 400,
  UNAUTHENTICATED: 401,
  INSUFFICIENT_CREDITS: 402,
  EMAIL_NOT_VERIFIED: 403,
  /** Used by the dashboard's interface only. */
  FORBIDDEN: 403,
  IP_NOT_ALLOWED: 403,
  NOT_FOUND: 404,
  /** No route has the path and method. */
  UNKNOWN_PATH: 404,
  IDEMPOTENCY_CONFLICT: 409,
  TASK_FINISHED: 409,
  /** Used by `/api/ai-tasks` only. */
  TASK_UNFINISHED: 409,
  RATE_LIMITED: 429,
  CONCURRENT_BATCH_LIMIT: 429,
  /** Too many tasks of the account wait. */
  TASK_LIMIT: 429,
  /** Too many bytes of the account's results are kept. */
  OUTPUT_LIMIT: 429,
  INTERNAL_ERROR: 500,
  BUSY: 503,
} as const;

/** Codes of a task that ended FAILED, and of one failed item of a batch. */
export const FAILURE_CODES = [
  'NO_FACE_DETECTED',
  'FACE_NOT_FOUND',
  'FACE_BOX_MISMATCH',
  'FACE_BOX_CONFLICT',
  /** An additional photo of a source shows another person. */
  'FACE_MISMATCH',
  'DECODE_FAILED',
  /** Media of an item of a v1 batch could not be fetched by the worker. */
  'MEDIA_UNREACHABLE',
  'IMAGE_TOO_LARGE',
  'INVALID_FORMAT',
  'RESOURCE_LIMIT',
  'DEADLINE_EXCEEDED',
  'WORKER_LOST',
  'INTERNAL_ERROR',
] as const;

export type RequestErrorCode = keyof typeof REQUEST_ERROR_STATUS;
export type FailureCode = (typeof FAILURE_CODES)[number];

/** Numbers that accompany an error on the wire. */
export interface ErrorDetails {
  /** Credits the request costs (402). */
  required?: number;
  /** Credits the account can spend (402). */
  available?: number;
  /** The limit that was exceeded: bytes, count, seconds or, on 429, most often requests. */
  limit?: number;
  /** Whole seconds after which the request can be sent again (429). */
  resetSeconds?: number;
}

/** Numbers of an error, and the field that is to blame. */
interface ErrorFacts extends ErrorDetails {
  /** Form field, JSON path such as `target_images[2]`, query parameter or header, as sent. */
  readonly field?: string;
}

/**
 * A failure of the request: `message` is one plain public sentence, the cause stays in the logs.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: RequestErrorCode;
  /** Set where the sentence names a field: the first that it names. */
  readonly field: string | undefined;
  readonly details: ErrorDetails;

  constructor(
    code: RequestErrorCode,
    message: string,
    { field, ...details }: ErrorFacts = {},
    cause?: unknown,
  ) {
    super(message, { cause });
    this.code = code;
    this.field = field;
    this.details = details;
  }
}

/**
 * Makes the error of one field, whose sentence begins with its name.
 * @param rest the sentence from there on, as in `is missing.`
 */
export function fieldError(
  code: RequestErrorCode,
  field: string,
  rest: string,
  details: ErrorDetails = {},
  cause?: unknown,
): AppError {
  return new AppError(code, `${field} ${rest}`, { field, ...details }, cause);
}

/** Makes the error of a field that holds what it must not; see `fieldError`. */
export function invalidField(field: string, rest: string, details: ErrorDetails = {}): AppError {
  return fieldError('INVALID_REQUEST', field, rest, details);
}

/** Characters of an unknown name that an error repeats. */
const MAX_SHOWN_LENGTH = 64;

/** Makes the error of a name that a client made up, which is cut where it is long. */
export function unknownNameError(kind: 'field' | 'query parameter', name: string): AppError {
  const field = name.slice(0, MAX_SHOWN_LENGTH);
  return new AppError('INVALID_REQUEST', `Unknown ${kind} ${JSON.stringify(field)}.`, { field });
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
