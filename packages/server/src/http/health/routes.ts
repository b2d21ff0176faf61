import type { FastifyInstance } from 'fastify';
import { readPartsDepth, readQueueDepth } from '../../tasks/queue/queue-depth.ts';
import { mayReadMetrics } from '../../telemetry/may-read-metrics.ts';
import type { HttpDeps } from '../common/deps.ts';

/** Longest wait before `/readyz` reports that the database does not answer. */
const DATABASE_TIMEOUT_MS = 2000;

/**
 * Adds the routes for load balancers and operators. They need no key, because they show nothing
 * about accounts.
 */
export function addHealthRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.get('/livez', () => ({ status: 'live' }));

  app.get('/readyz', async (_request, reply) => {
    if (deps.shutdown.aborted) return reply.code(503).send({ error: 'The service is shutting down.' });
    if (!deps.isDashboardSettled()) return reply.code(503).send({ error: 'The dashboard is being built.' });
    if (!(await databaseAnswers(deps)))
      return reply.code(503).send({ error: 'The database does not answer.' });
    return { status: 'ready' };
  });

  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request.raw, deps.config)) {
      return reply
        .code(403)
        .send({ error: 'Metrics are shown to requests from this machine or with the operator token.' });
    }
    await measureQueue(deps);
    const { registry } = deps.metrics;
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

async function databaseAnswers({ database }: HttpDeps): Promise<boolean> {
  const timeout = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => timeout.resolve(false), DATABASE_TIMEOUT_MS);
  const answer = database.pool.query('select 1').then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([answer, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Measures the queue. Called only when the metrics are read, because it costs several queries. */
async function measureQueue({ database, metrics }: HttpDeps): Promise<void> {
  for (const { lane, pending, waitSeconds, oldestSeconds, processing } of await readQueueDepth(database)) {
    metrics.queuePending.set({ lane }, pending);
    metrics.queueWaitSeconds.set({ lane }, waitSeconds);
    metrics.queueOldestSeconds.set({ lane }, oldestSeconds);
    metrics.tasksProcessing.set({ lane }, processing);
  }
  for (const { lane, waiting, running } of await readPartsDepth(database)) {
    metrics.partsPending.set({ lane }, waiting);
    metrics.partsProcessing.set({ lane }, running);
  }
}
