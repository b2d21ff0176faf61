import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { AppError } from '@guise/contract/errors.ts';
import { countUnlimitedUse } from '../accounts/unlimited-use.ts';
import { addAccountRoutes } from './account/routes.ts';
import { addAiTaskRoutes } from './ai-tasks/routes.ts';
import { addDashboardRoutes } from './dashboard/routes.ts';
import type { HttpDeps } from './common/deps.ts';
import { addFileRoutes } from './files/routes.ts';
import { addV1Routes } from './v1/routes.ts';
import { V1_ERRORS } from './v1/send-error.ts';
import { addHealthRoutes } from './health/routes.ts';
import { countUnlimited } from './plugins/admission.ts';
import { allowOrigins } from './plugins/cors.ts';
import { setCommonHeaders } from './plugins/common-headers.ts';
import { answerClientError, frameworkErrorHandler, installErrorHandling } from './plugins/errors.ts';
import { installRequestMetrics } from './plugins/request-metrics.ts';

/** Longest time in which a whole request with its upload must arrive. */
const REQUEST_TIMEOUT_MS = 10 * 60_000;

/** Interval at which idle connections are closed while the app closes. */
const CLOSE_IDLE_INTERVAL_MS = 100;

/** Error formats other than that of `/api/ai-tasks`. */
const ERROR_RENDERERS = [V1_ERRORS];

/**
 * Builds the app with all routes, without listening. `app.close()` lets running requests finish and
 * refuses new ones on open connections. The caller closes `deps`.
 */
export async function buildApp(deps: HttpDeps): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // All requests share one logger, because making a new one would cost more than answering a
    // poll. Log lines contain the request id.
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUID(),
    trustProxy: deps.config.trustedProxies.length > 0 ? [...deps.config.trustedProxies] : false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Only declared routes exist.
    exposeHeadRoutes: false,
    // The 503 answer of Fastify has another format than that of the hook below.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerClientError,
    // Node's answer to a missing Host header has no body and no request id.
    http: { requireHostHeader: false },
    frameworkErrors: frameworkErrorHandler(ERROR_RENDERERS),
  });

  // The parser reads nothing: handlers stream forms themselves and refuse everything else.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));

  app.decorateRequest('caller', null);
  app.decorateRequest('rate', null);
  app.decorateRequest('rateBucket', null);
  app.decorateRequest('polledTask', null);
  app.decorateRequest('unlimitedBucket', null);
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  let closing = false;
  app.addHook('preClose', (done) => {
    closing = true;
    // Connections that are busy now become idle later, and some connections never sent a request.
    // Nobody else would close them.
    const closeIdle = setInterval(() => {
      app.server.closeIdleConnections();
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    }, CLOSE_IDLE_INTERVAL_MS);
    app.server.once('close', () => clearInterval(closeIdle));
    done();
  });
  await allowOrigins(app, deps.config.allowedOrigins);
  app.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request.id, reply);
    if (closing) {
      reply.header('connection', 'close');
      return done(new AppError('BUSY', 'The service is shutting down.'));
    }
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      return done(new AppError('INVALID_REQUEST', 'The Host header is missing.', { field: 'Host' }));
    }
    done();
  });
  installErrorHandling(app, deps.readDatabase, ERROR_RENDERERS);
  installRequestMetrics(app, deps.metrics);
  countUnlimited(
    app,
    countUnlimitedUse(deps.readDatabase, (error) =>
      deps.log.warn({ err: error }, 'could not save the request count of an account'),
    ),
  );

  addAiTaskRoutes(app, deps);
  addV1Routes(app, deps);
  addFileRoutes(app, deps);
  addHealthRoutes(app, deps);
  addAccountRoutes(app, deps);
  addDashboardRoutes(app, deps);
  await app.ready();

  // Without this listener, Node would ask every client to send its body, even if the headers alone
  // make the request fail. Node would also refuse other expectations without a request id; RFC 9110
  // allows us to ignore those.
  const route = (request: IncomingMessage, response: ServerResponse): void => app.routing(request, response);
  app.server.on('checkContinue', route).on('checkExpectation', route);
  return app;
}
