import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/**
 * Metrics of this process. Labels have few values and never contain an account, a task or a URL.
 * The label `route` is the pattern, not the path.
 */
export type Metrics = ReturnType<typeof createMetrics>;

/** Bounds of the histogram of request times, in seconds. */
const REQUEST_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

/** Makes metrics with their own registry, so that several can exist in one process (in tests). */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requests: new Counter({
      name: 'guise_http_requests_total',
      help: 'HTTP requests answered.',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'guise_http_request_seconds',
      help: 'Time from the first byte of a request to the end of its answer.',
      labelNames: ['method', 'route'],
      buckets: REQUEST_BUCKETS,
      registers,
    }),
    queuePending: new Gauge({
      name: 'guise_queue_pending',
      help: 'Tasks that wait for a worker.',
      labelNames: ['lane'],
      registers,
    }),
    queueWaitSeconds: new Gauge({
      name: 'guise_queue_wait_seconds',
      help: 'Estimated work in the queue, in seconds of one engine slot, by the recent speed of the workers.',
      labelNames: ['lane'],
      registers,
    }),
    queueOldestSeconds: new Gauge({
      name: 'guise_queue_oldest_seconds',
      help: 'Age of the task that waits longest.',
      labelNames: ['lane'],
      registers,
    }),
    tasksProcessing: new Gauge({
      name: 'guise_tasks_processing',
      help: 'Tasks that workers are running.',
      labelNames: ['lane'],
      registers,
    }),
    partsPending: new Gauge({
      name: 'guise_parts_pending',
      help: 'Parts of tasks, such as items of batches, that wait for a worker.',
      labelNames: ['lane'],
      registers,
    }),
    partsProcessing: new Gauge({
      name: 'guise_parts_processing',
      help: 'Parts of tasks that workers are running.',
      labelNames: ['lane'],
      registers,
    }),
  };
}
