import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

/**
 * Metrics of a worker process. Labels have few values and never contain an account, a task or a
 * URL.
 */
export type WorkerMetrics = ReturnType<typeof createWorkerMetrics>;

/** Upper bounds of the buckets of `taskSeconds`. */
const TASK_SECONDS_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

export function createWorkerMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    tasks: new Counter({
      name: 'guise_worker_tasks_total',
      help: 'Tasks that this worker ended.',
      labelNames: ['type', 'status'],
      registers,
    }),
    taskSeconds: new Histogram({
      name: 'guise_worker_task_seconds',
      help: 'Time from the claim of a task to its end.',
      labelNames: ['type'],
      buckets: TASK_SECONDS_BUCKETS,
      registers,
    }),
    parts: new Counter({
      name: 'guise_worker_parts_total',
      help: 'Parts of tasks that this worker ended.',
      labelNames: ['step', 'status'],
      registers,
    }),
    partSeconds: new Histogram({
      name: 'guise_worker_part_seconds',
      help: 'Time from the claim of a part of a task to its end.',
      labelNames: ['step'],
      buckets: TASK_SECONDS_BUCKETS,
      registers,
    }),
  };
}
