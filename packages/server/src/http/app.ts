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
import { setCommonHeaders } from './plugins/common-headers.ts';
import { answerClientError, frameworkErrorHandler, installErrorHandling } from './plugins/errors.ts';
import { installRequestMetrics } from './plugins/request-metrics.ts';

/** The longest that a whole request, its upload included, may take to arrive. */
const REQUEST_TIMEOUT_MS = 10 * 60_000;

/** Pause between two rounds that close idle connections while the app closes. */
const CLOSE_IDLE_INTERVAL_MS = 100;

/** Shapes of failures other than that of `/api/ai-tasks`. */
const ERROR_RENDERERS = [V1_ERRORS];

/**
 * Builds all routes, not yet listening. `app.close()` lets running requests finish, refuses new
 * ones on open connections, and leaves `deps` to the caller.
 */
export async function buildApp(deps: HttpDeps): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // No logger of its own for every request: making one costs more than a poll's answer. Lines
    // name the request.
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUID(),
    trustProxy: deps.config.trustedProxies.length > 0 ? [...deps.config.trustedProxies] : false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Only declared paths exist.
    exposeHeadRoutes: false,
    // fastify's own refusal has another shape than the hook's below.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerClientError,
    // Node's own refusal has neither a body nor a request id.
    http: { requireHostHeader: false },
    frameworkErrors: frameworkErrorHandler(ERROR_RENDERERS),
  });

  // No parser reads a body: forms are streamed by their handlers, everything else is refused by
  // them.
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
    // Connections whose last answer comes later are idle only then, and nobody else would close
    // them, nor those that never asked anything.
    const closeIdle = setInterval(() => {
      app.server.closeIdleConnections();
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    }, CLOSE_IDLE_INTERVAL_MS);
    app.server.once('close', () => clearInterval(closeIdle));
    done();
  });
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
      deps.log.warn({ err: error }, 'use could not be counted'),
    ),
  );

  addAiTaskRoutes(app, deps);
  addV1Routes(app, deps);
  addFileRoutes(app, deps);
  addHealthRoutes(app, deps);
  addAccountRoutes(app, deps);
  addDashboardRoutes(app, deps);
  await app.ready();

  // Without a listener Node tells every client to send its body, even one that will be refused by
  // its headers alone. Another expectation it refuses by itself, without a request id; RFC 9110
  // lets us do without.
  const route = (request: IncomingMessage, response: ServerResponse): void => app.routing(request, response);
  app.server.on('checkContinue', route).on('checkExpectation', route);
  return app;
}
