import type { FailureCode, RequestErrorCode } from './errors.ts';

/** Codes of `/v1` on the wire, with their HTTP status (docs/spec/v1#errors). */
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

/**
 * Code of `/v1` for each code of the core. The intake of `/v1` itself reports which file is too
 * large; if the core still reports this for a request as a whole, the request is at fault.
 */
export const V1_CODE_OF: Record<RequestErrorCode, V1ErrorCode> = {
  INVALID_REQUEST: 'INVALID_REQUEST',
  INVALID_FORMAT: 'INVALID_FORMAT',
  FILE_TOO_LARGE: 'INVALID_REQUEST',
  IMAGE_TOO_LARGE: 'IMAGE_TOO_LARGE',
  VIDEO_TOO_LARGE: 'VIDEO_TOO_LARGE',
  VIDEO_TOO_LONG: 'VIDEO_TOO_LONG',
  RESOLUTION_TOO_HIGH: 'RESOLUTION_TOO_HIGH',
  BATCH_TOO_LARGE: 'BATCH_TOO_LARGE',
  MEDIA_UNREACHABLE: 'MEDIA_UNREACHABLE',
  INVALID_WEBHOOK_URL: 'INVALID_WEBHOOK_URL',
  NO_FACE_DETECTED: 'NO_FACE_DETECTED',
  FACE_INDEX_OUT_OF_RANGE: 'FACE_INDEX_OUT_OF_RANGE',
  UNAUTHENTICATED: 'INVALID_API_KEY',
  INSUFFICIENT_CREDITS: 'INSUFFICIENT_CREDITS',
  // `/v1` refuses no unverified account (docs/spec/details#starting-credits).
  EMAIL_NOT_VERIFIED: 'IP_NOT_ALLOWED',
  // Only the dashboard's interface answers this.
  FORBIDDEN: 'IP_NOT_ALLOWED',
  IP_NOT_ALLOWED: 'IP_NOT_ALLOWED',
  NOT_FOUND: 'JOB_NOT_FOUND',
  // The specification of `/v1` knows no other 404.
  UNKNOWN_PATH: 'JOB_NOT_FOUND',
  IDEMPOTENCY_CONFLICT: 'IDEMPOTENCY_CONFLICT',
  TASK_FINISHED: 'JOB_FINISHED',
  // Only `/api/ai-tasks` answers this.
  TASK_UNFINISHED: 'INVALID_REQUEST',
  RATE_LIMITED: 'RATE_LIMITED',
  CONCURRENT_BATCH_LIMIT: 'CONCURRENT_BATCH_LIMIT',
  // The message names the limit; clients know this code.
  TASK_LIMIT: 'RATE_LIMITED',
  OUTPUT_LIMIT: 'RATE_LIMITED',
  INTERNAL_ERROR: 'INTERNAL_ERROR',
  BUSY: 'BUSY',
};

/** Codes of a failed job and of one failed item of a batch, as `/v1` shows them. */
export const V1_FAILURE_CODES = [
  'NO_FACE_DETECTED',
  'FACE_INDEX_OUT_OF_RANGE',
  /** A mapping of a video names a face that is not there. */
  'FACE_NOT_FOUND',
  /** Two mappings of a video point to the same person. */
  'FACE_BOX_CONFLICT',
  'DECODE_FAILED',
  'MEDIA_UNREACHABLE',
  'IMAGE_TOO_LARGE',
  'INVALID_FORMAT',
  'RESOURCE_LIMIT',
  'DEADLINE_EXCEEDED',
  'WORKER_LOST',
  'INTERNAL_ERROR',
  'CANCELLED',
] as const;
export type V1FailureCode = (typeof V1_FAILURE_CODES)[number];

/** Translates a failure for `/v1`. */
export function v1FailureCode(code: FailureCode): V1FailureCode {
  switch (code) {
    case 'FACE_BOX_MISMATCH':
      return 'FACE_INDEX_OUT_OF_RANGE';
    case 'FACE_MISMATCH':
      // Only additional photos of a source cause this, and `/v1` does not accept them.
      return 'INTERNAL_ERROR';
    default:
      return code;
  }
}
