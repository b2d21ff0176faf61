import type { FastifyReply } from 'fastify';
import type { AppError } from '@guise/contract/errors.ts';
import { V1_CODE_OF, V1_ERROR_STATUS } from '@guise/contract/v1/errors.ts';

/** When a client whose batches are too many may ask again: the longest wait of the polling guidance. */
const BATCH_RETRY_SECONDS = 30;

/** Decisions: Error shape. */
export function sendV1Error(error: AppError, requestId: string, reply: FastifyReply): FastifyReply {
  const code = V1_CODE_OF[error.code];
  const { resetSeconds, ...numbers } = error.details;
  const reset = code === 'CONCURRENT_BATCH_LIMIT' ? (resetSeconds ?? BATCH_RETRY_SECONDS) : resetSeconds;
  if (reset !== undefined) reply.header('retry-after', reset);
  return reply.code(V1_ERROR_STATUS[code]).send({
    success: false,
    error: code,
    message: error.message,
    request_id: requestId,
    ...numbers,
    ...(reset === undefined ? {} : { reset_seconds: reset }),
  });
}
