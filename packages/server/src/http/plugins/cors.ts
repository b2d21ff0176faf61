import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/**
 * Paths of the interfaces and of results. The dashboard's own routes are for its own pages only.
 */
const OPEN_PATHS = /^\/(api|v1|files|verify)(\/|\?|$)/;
/** Headers of answers that a page may read, besides those that every page may read. */
const READABLE = ['api-version', 'ratelimit', 'ratelimit-policy', 'retry-after', 'x-request-id'];
/** Seconds for which a browser need not ask again. */
const MAX_AGE_SECONDS = 600;

/** Lets pages of these origins call the interfaces, with a key but without cookies (CORS). */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(cors, {
    delegator: ({ url }, done) =>
      done(null, {
        origin: OPEN_PATHS.test(url!) ? [...origins] : false,
        methods: ['GET', 'POST', 'DELETE'],
        exposedHeaders: READABLE,
        maxAge: MAX_AGE_SECONDS,
      }),
  });
}
