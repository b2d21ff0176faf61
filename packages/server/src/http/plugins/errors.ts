import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { API_VERSION } from '@guise/contract/ai-tasks/api-version.ts';
import { aiTasksErrorBody } from '@guise/contract/ai-tasks/errors.ts';
import { AppError, REQUEST_ERROR_STATUS } from '@guise/contract/errors.ts';
import { findAccountById } from '../../accounts/find-account.ts';
import type { Database } from '../../db/database.ts';
import { isDatabaseAway } from '../../db/database-away.ts';
import { ClientGone } from '../../intake/client-gone.ts';
import { isOutOfSpace, outOfSpace } from '../../storage/disk-room.ts';
import { unauthenticated } from './admission.ts';
import { setCommonHeaders } from './common-headers.ts';
import { drainBriefly } from './drain.ts';

/** Message of a 404 for a path and method without a route. */
const UNKNOWN_ROUTE_MESSAGE = 'There is nothing at this path and method.';

/** Sends errors of paths whose error format is not that of `/api/ai-tasks`. */
export interface ErrorRenderer {
  readonly matches: (url: string) => boolean;
  readonly send: (error: AppError, requestId: string, reply: FastifyReply) => FastifyReply;
}

type Renderers = readonly ErrorRenderer[];

/**
 * Answers every error in the format of its path: that of the first matching renderer, or that of
 * `/api/ai-tasks`. An unexpected error gives a plain 500 and a log line.
 */
export function installErrorHandling(app: FastifyInstance, db: Database, renderers: Renderers): void {
  app.setErrorHandler(async (error: Error, request, reply) =>
    sendError(
      renderers,
      (await isAccountGone(db, error, request)) ? unauthenticated() : error,
      request,
      reply,
    ),
  );
  app.setNotFoundHandler((request, reply) =>
    sendError(renderers, new AppError('UNKNOWN_PATH', UNKNOWN_ROUTE_MESSAGE), request, reply),
  );
}

/** Makes the handler for requests that Fastify refuses before any hook runs. */
export function frameworkErrorHandler(renderers: Renderers) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    setCommonHeaders(request.id, reply);
    sendError(renderers, error, request, reply);
  };
}

/**
 * Returns whether a request failed because its account was deleted in the meantime. It then gets
 * 401, like any later request.
 */
async function isAccountGone(db: Database, error: Error, request: FastifyRequest): Promise<boolean> {
  const accountId = request.caller?.id ?? request.signedInSession?.accountId;
  if (accountId === undefined || REQUEST_ERROR_STATUS[toAppError(error).code] < 500) return false;
  try {
    return (await findAccountById(db, accountId)) === null;
  } catch {
    // The original error may be that the database failed.
    return false;
  }
}

function sendError(
  renderers: Renderers,
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = toAppError(error);
  const status = REQUEST_ERROR_STATUS[known.code];
  if (error instanceof ClientGone) request.log.info({ requestId: request.id }, 'client went away');
  else if (status >= 500)
    request.log.error({ requestId: request.id, err: known.cause ?? error }, known.message);
  drainBriefly(request.raw, reply.raw);
  // Required by RFC 9110, 11.6.1.
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  const { resetSeconds } = known.details;
  if (resetSeconds !== undefined) reply.header('retry-after', resetSeconds);
  const renderer = renderers.find(({ matches }) => matches(request.url));
  if (renderer !== undefined) return renderer.send(known, request.id, reply);
  return reply.code(status).send(aiTasksErrorBody(known));
}

export function toAppError(error: Error): AppError {
  if (error instanceof AppError) return error;
  if (isOutOfSpace(error)) return outOfSpace(error);
  if (isDatabaseAway(error)) {
    return new AppError('BUSY', 'The database cannot be reached just now; try again in a moment.', {}, error);
  }
  if (error instanceof ClientGone) return new AppError('INVALID_REQUEST', 'The upload was broken off.');
  const { statusCode, code } = error as FastifyError;
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new AppError(
      'INVALID_REQUEST',
      'The Content-Type header is not a valid media type.',
      { field: 'Content-Type' },
      error,
    );
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new AppError('INVALID_REQUEST', 'The request is malformed.', {}, error);
  }
  return new AppError('INTERNAL_ERROR', 'The service failed to handle this request.', {}, error);
}

/** Answers data that is not a valid HTTP request. There is no reply object in this case. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const timedOut = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const message = timedOut ? 'The request took too long.' : 'The request is malformed.';
  const body = JSON.stringify(aiTasksErrorBody(new AppError('INVALID_REQUEST', message)));
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nApi-Version: ${API_VERSION}\r\n` +
      `X-Request-Id: ${crypto.randomUUID()}\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n` +
      `Connection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
