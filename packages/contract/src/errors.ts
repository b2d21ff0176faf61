/**
 * All errors that clients can see. The code throws `AppError` with a message where a rule is
 * checked; the status is defined here; each HTTP interface renders errors with its own table.
 */

/** HTTP status of each request error, equal on both interfaces. */
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
  /** No worker holds the engine that the request names. */
  ENGINE_UNAVAILABLE: 400,
  /** The operator asks for `consent`. */
  CONSENT_REQUIRED: 400,
  /** The operator's blocklist has the face. */
  FACE_BLOCKED: 400,
  /** The consent to use a saved face was withdrawn. */
  FACE_WITHDRAWN: 400,
  /** Used by `/v1/image-swap` only, whose answer is the end of its task. */
  MODERATION_REFUSED: 400,
  NO_FACE_DETECTED: 400,
  FACE_INDEX_OUT_OF_RANGE: 400,
  UNAUTHENTICATED: 401,
  INSUFFICIENT_CREDITS: 402,
  EMAIL_NOT_VERIFIED: 403,
  /** Used by the dashboard's interface only. */
  FORBIDDEN: 403,
  IP_NOT_ALLOWED: 403,
  NOT_FOUND: 404,
  /** No route matches the path and method. */
  UNKNOWN_PATH: 404,
  IDEMPOTENCY_CONFLICT: 409,
  TASK_FINISHED: 409,
  /** Used by `/api/ai-tasks` only. */
  TASK_UNFINISHED: 409,
  RATE_LIMITED: 429,
  CONCURRENT_BATCH_LIMIT: 429,
  /** The account has too many waiting tasks. */
  TASK_LIMIT: 429,
  /** The account has too many bytes of kept results. */
  OUTPUT_LIMIT: 429,
  INTERNAL_ERROR: 500,
  BUSY: 503,
} as const;

/** Error codes of a FAILED task and of a failed item of a batch. */
export const FAILURE_CODES = [
  'NO_FACE_DETECTED',
  'FACE_NOT_FOUND',
  'FACE_BOX_MISMATCH',
  'FACE_BOX_CONFLICT',
  /** An additional photo of a source shows another person. */
  'FACE_MISMATCH',
  'DECODE_FAILED',
  /** The worker could not download the media of an item of a v1 batch. */
  'MEDIA_UNREACHABLE',
  'IMAGE_TOO_LARGE',
  'INVALID_FORMAT',
  'RESOURCE_LIMIT',
  /** No worker holds the engine of the task any more, or the engine ran out of memory. */
  'ENGINE_UNAVAILABLE',
  /** The operator's blocklist has a face of the task. */
  'FACE_BLOCKED',
  /** The consent to use a saved face was withdrawn. */
  'FACE_WITHDRAWN',
  /** The operator's moderation refused the task. */
  'MODERATION_REFUSED',
  'DEADLINE_EXCEEDED',
  'WORKER_LOST',
  'INTERNAL_ERROR',
] as const;

export type RequestErrorCode = keyof typeof REQUEST_ERROR_STATUS;
export type FailureCode = (typeof FAILURE_CODES)[number];

/** Numbers that an error answer contains. */
export interface ErrorDetails {
  /** Credits that the request costs (402). */
  required?: number;
  /** Credits that the account can spend (402). */
  available?: number;
  /** The exceeded limit: bytes, count or seconds; with 429 usually requests. */
  limit?: number;
  /** Whole seconds after which the request can be sent again (429). */
  resetSeconds?: number;
}

/** Numbers of an error, and the field with the mistake. */
interface ErrorFacts extends ErrorDetails {
  /** Form field, JSON path such as `target_images[2]`, query parameter or header, as sent. */
  readonly field?: string;
}

/**
 * Failure of a request. `message` is one plain sentence for clients; the cause only appears in the
 * logs.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: RequestErrorCode;
  /** First field that the message names; undefined if it names none. */
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
 * Makes an error about one field. Its message begins with the field's name.
 * @param rest the rest of the message, such as `is missing.`
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

/** Makes the error for a field with an invalid value; see `fieldError`. */
export function invalidField(field: string, rest: string, details: ErrorDetails = {}): AppError {
  return fieldError('INVALID_REQUEST', field, rest, details);
}

/** Largest number of characters of an unknown name that an error message shows. */
const MAX_SHOWN_LENGTH = 64;

/** Makes the error for an unknown name, which is shortened if it is long. */
export function unknownNameError(kind: 'field' | 'query parameter', name: string): AppError {
  const field = name.slice(0, MAX_SHOWN_LENGTH);
  return new AppError('INVALID_REQUEST', `Unknown ${kind} ${JSON.stringify(field)}.`, { field });
}

/** Failure of the work itself. Ends a task (or a batch item) with a code. */
export class TaskFailure extends Error {
  override readonly name = 'TaskFailure';
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
