import type { AppError, ErrorDetails, RequestErrorCode } from '../errors.ts';
import { V1_CODE_OF, V1_ERROR_STATUS, type V1ErrorCode } from '../wire-codes.ts';

/** Codes of `/api/ai-tasks` that `/v1` does not use. */
const OWN_CODES = ['EMAIL_NOT_VERIFIED', 'JOB_UNFINISHED', 'NOT_FOUND'] as const;

export type AiTasksErrorCode = V1ErrorCode | (typeof OWN_CODES)[number];

/** All error codes of `/api/ai-tasks`: those of `/v1` and additional ones. */
export const AI_TASKS_ERROR_CODES: readonly AiTasksErrorCode[] = [
  ...(Object.keys(V1_ERROR_STATUS) as V1ErrorCode[]),
  ...OWN_CODES,
];

/** Error code of `/api/ai-tasks` for each internal code. */
const AI_TASKS_CODE_OF: Record<RequestErrorCode, AiTasksErrorCode> = {
  ...V1_CODE_OF,
  EMAIL_NOT_VERIFIED: 'EMAIL_NOT_VERIFIED',
  TASK_UNFINISHED: 'JOB_UNFINISHED',
  UNKNOWN_PATH: 'NOT_FOUND',
};

interface AiTasksErrorBody extends ErrorDetails {
  readonly error: string;
  readonly code: AiTasksErrorCode;
  readonly field?: string;
}

/** Presents an error in the format of `/api/ai-tasks` (docs/spec/ai-tasks.md#errors). */
export function aiTasksErrorBody({ message, code, field, details }: AppError): AiTasksErrorBody {
  return {
    error: message,
    code: AI_TASKS_CODE_OF[code],
    ...(field === undefined ? {} : { field }),
    ...details,
  };
}
