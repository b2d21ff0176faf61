import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkerOf } from '@guise/contract/account/check.ts';
import { accountErrorSchema } from '@guise/contract/account/own.ts';
import { AppError, REQUEST_ERROR_STATUS } from '@guise/contract/errors.ts';
import type { HttpDeps } from '../common/deps.ts';
import { drainBriefly } from '../plugins/drain.ts';
import { toAppError } from '../plugins/errors.ts';
import { addAuthRoutes, addOwnAuthRoutes } from './auth-routes.ts';
import { ownOriginOnly, signedIn } from './common/guard.ts';
import { addKeyRoutes } from './key-routes.ts';
import { addMeRoutes } from './me-routes.ts';
import { addOperatorRoutes } from './operator/routes.ts';
import { addRerunRoute } from './rerun-route.ts';
import { addPrivacyRoutes } from './privacy-routes.ts';
import { addTaskRoutes } from './task-routes.ts';
import { addUsageRoutes } from './usage-routes.ts';
import { addWebhookRoutes } from './webhook-routes.ts';
import { addWithdrawalRoutes } from './withdrawal-routes.ts';

/** Largest request body of these routes. */
const MAX_BODY_BYTES = 16 * 1024;
/** Schemas of error answers, for all these routes. */
const ERRORS = { '4xx': accountErrorSchema, '5xx': accountErrorSchema };

/**
 * Adds the routes of `/account`, the dashboard's interface. Only these routes accept the session
 * cookie, and they accept no API keys.
 */
export function addAccountRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.decorateRequest('signedInSession', null);
  app.addHook('onClose', () => deps.signIn.settled());
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
      (_request, body, parsed) => parseJson(body as string, parsed),
    );
    scope.setValidatorCompiler<Parameters<typeof checkerOf>[0]>(({ schema }) => {
      const check = checkerOf(schema);
      return (value: unknown) => {
        const wrong = check(value);
        return wrong === null ? { value } : { error: new AppError('INVALID_REQUEST', wrong) };
      };
    });
    scope.setErrorHandler((error: Error, request, reply) => sendError(error, request, reply));
    scope.addHook('onRequest', ownOriginOnly(deps.config.publicUrl));
    scope.addHook('onRoute', ({ schema }) => {
      if (schema?.response) schema.response = { ...schema.response, ...ERRORS };
    });
    addAuthRoutes(scope, deps);
    addWithdrawalRoutes(scope, deps);
    scope.register((own, _ownOptions, ownDone) => {
      own.addHook('onRequest', signedIn(deps));
      addOwnAuthRoutes(own, deps);
      addMeRoutes(own, deps);
      addKeyRoutes(own, deps);
      addTaskRoutes(own, deps);
      addRerunRoute(own, deps);
      addUsageRoutes(own, deps);
      addWebhookRoutes(own, deps);
      addOperatorRoutes(own, deps);
      addPrivacyRoutes(own, deps);
      ownDone();
    });
    done();
  });
}

function parseJson(text: string, parsed: (error: Error | null, value?: unknown) => void): void {
  if (text === '') return parsed(null);
  let isKeepable = true;
  let value: unknown;
  try {
    value = JSON.parse(text, (_key, each: unknown) => {
      // PostgreSQL cannot store such text, nor JSON that contains it.
      if (typeof each === 'string' && (each.includes('\0') || !each.isWellFormed())) isKeepable = false;
      return each;
    });
  } catch {
    return parsed(new AppError('INVALID_REQUEST', 'The body is not valid JSON.'));
  }
  if (isKeepable) parsed(null, value);
  else parsed(new AppError('INVALID_REQUEST', 'The body contains a character that is not allowed.'));
}

function sendError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toAppError(error);
  const status = REQUEST_ERROR_STATUS[known.code];
  if (status >= 500) {
    request.log.error({ requestId: request.id, err: known.cause ?? error }, known.message);
  }
  const { resetSeconds } = known.details;
  if (known.code === 'RATE_LIMITED' && resetSeconds !== undefined) reply.header('retry-after', resetSeconds);
  drainBriefly(request.raw, reply.raw);
  return reply
    .code(status)
    .send({ error: known.message, code: known.code, field: known.field, ...known.details });
}
