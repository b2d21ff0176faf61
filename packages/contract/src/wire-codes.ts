import type { FailureCode, RequestErrorCode } from './errors.ts';

/** Error codes of `/v1` with their HTTP status (docs/spec/v1#errors). */
export const V1_ERROR_STATUS = {
  INVALID_REQUEST: 400,
  NO_FACE_DETECTED: 400,
  FACE_INDEX_OUT_OF_RANGE: 400,
  IMAGE_TOO_LARGE: 400,
  VIDEO_TOO_LARGE: 400,
  VIDEO_TOO_LONG: 400,
  RESOLUTION_TOO_HIGH: 400,
  INVALID_FORMAT: 400,
  BATCH_TOO_LARGE: 400,
  MEDIA_UNREACHABLE: 400,
  INVALID_WEBHOOK_URL: 400,
  ENGINE_UNAVAILABLE: 400,
  CONSENT_REQUIRED: 400,
  FACE_BLOCKED: 400,
  FACE_WITHDRAWN: 400,
  MODERATION_REFUSED: 400,
  INVALID_API_KEY: 401,
  INSUFFICIENT_CREDITS: 402,
  IP_NOT_ALLOWED: 403,
  JOB_NOT_FOUND: 404,
  IDEMPOTENCY_CONFLICT: 409,
  JOB_FINISHED: 409,
  RATE_LIMITED: 429,
  CONCURRENT_BATCH_LIMIT: 429,
  INTERNAL_ERROR: 500,
  BUSY: 503,
} as const;
export type V1ErrorCode = keyof typeof V1_ERROR_STATUS;

/** The codes that are internal codes, too. */
const SAME_CODES = Object.fromEntries(Object.keys(V1_ERROR_STATUS).map((code) => [code, code])) as {
  readonly [Code in V1ErrorCode]: Code;
};

/**
 * Error code of `/v1` for each internal code. The intake of `/v1` names the file that is too large.
 * FILE_TOO_LARGE therefore only occurs for a whole request and becomes INVALID_REQUEST.
 */
export const V1_CODE_OF: Record<RequestErrorCode, V1ErrorCode> = {
  ...SAME_CODES,
  FILE_TOO_LARGE: 'INVALID_REQUEST',
  UNAUTHENTICATED: 'INVALID_API_KEY',
  // Does not occur: `/v1` accepts unverified accounts (docs/spec/details#starting-credits).
  EMAIL_NOT_VERIFIED: 'IP_NOT_ALLOWED',
  // Only the dashboard's interface returns this.
  FORBIDDEN: 'IP_NOT_ALLOWED',
  NOT_FOUND: 'JOB_NOT_FOUND',
  // The specification of `/v1` has no other 404.
  UNKNOWN_PATH: 'JOB_NOT_FOUND',
  TASK_FINISHED: 'JOB_FINISHED',
  // Only `/api/ai-tasks` returns this.
  TASK_UNFINISHED: 'INVALID_REQUEST',
  // Clients know this code, and the message names the limit.
  TASK_LIMIT: 'RATE_LIMITED',
  OUTPUT_LIMIT: 'RATE_LIMITED',
};

/** Error codes of a failed job and of a failed item of a batch in `/v1`. */
export const V1_FAILURE_CODES = [
  'NO_FACE_DETECTED',
  'FACE_INDEX_OUT_OF_RANGE',
  /** A mapping of a video refers to a face that does not exist. */
  'FACE_NOT_FOUND',
  /** Two mappings of a video refer to the same person. */
  'FACE_BOX_CONFLICT',
  'DECODE_FAILED',
  'MEDIA_UNREACHABLE',
  'IMAGE_TOO_LARGE',
  'INVALID_FORMAT',
  'RESOURCE_LIMIT',
  'ENGINE_UNAVAILABLE',
  'FACE_BLOCKED',
  'FACE_WITHDRAWN',
  'MODERATION_REFUSED',
  'DEADLINE_EXCEEDED',
  'WORKER_LOST',
  'INTERNAL_ERROR',
  'CANCELLED',
] as const;
export type V1FailureCode = (typeof V1_FAILURE_CODES)[number];

/** Returns the `/v1` code of a failure. */
export function v1FailureCode(code: FailureCode): V1FailureCode {
  switch (code) {
    case 'FACE_BOX_MISMATCH':
      return 'FACE_INDEX_OUT_OF_RANGE';
    case 'FACE_MISMATCH':
      // Only additional source photos cause this, and `/v1` does not accept them.
      return 'INTERNAL_ERROR';
    default:
      return code;
  }
}
