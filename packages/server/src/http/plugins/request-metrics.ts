import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../../telemetry/metrics.ts';

/**
 * Counts and times every answer by route pattern. URLs are not used, so that links and task ids
 * never appear in metrics and logs.
 */
export function installRequestMetrics(app: FastifyInstance, { requests, requestSeconds }: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const route = request.routeOptions.url ?? 'unknown';
    const ms = reply.elapsedTime;
    requests.inc({ method, route, status: reply.statusCode });
    requestSeconds.observe({ method, route }, ms / 1000);
    // Polls and health checks are not logged, because they would hide all other requests.
    if (method !== 'GET' && method !== 'HEAD') {
      request.log.info(
        { requestId: request.id, method, route, status: reply.statusCode, ms: Math.round(ms) },
        'answered',
      );
    }
    done();
  });
}
