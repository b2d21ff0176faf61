import type { FastifyReply } from 'fastify';
import type { AppError } from '@guise/contract/errors.ts';
import { V1_CODE_OF, V1_ERROR_STATUS } from '@guise/contract/wire-codes.ts';
import type { ErrorRenderer } from '../plugins/errors.ts';

/** Sends errors of `/v1`. */
export const V1_ERRORS: ErrorRenderer = {
  matches: (url) => /^\/v1(\/|\?|$)/.test(url),
  send: sendV1Error,
};

/** Sends an error of `/v1` (docs/spec/v1#errors). */
function sendV1Error(error: AppError, requestId: string, reply: FastifyReply): FastifyReply {
  const code = V1_CODE_OF[error.code];
  const { resetSeconds, ...numbers } = error.details;
  return reply.code(V1_ERROR_STATUS[code]).send({
    success: false,
    error: code,
    message: error.message,
    request_id: requestId,
    ...(error.field === undefined ? {} : { field: error.field }),
    ...numbers,
    ...(resetSeconds === undefined ? {} : { reset_seconds: resetSeconds }),
  });
}
