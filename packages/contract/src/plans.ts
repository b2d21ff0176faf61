/** Plans of accounts (docs/spec/v1#limits). */
export const PLANS = ['free', 'pro', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

interface PlanLimits {
  /** null means unlimited. */
  requestsPerMinute: number | null;
  /** Requests of v1 per UTC day; null means unlimited. */
  requestsPerDay: number | null;
  /** Largest number of targets of a v1 batch. */
  imagesPerBatch: number;
  /** Largest number of unfinished v1 batches; null means unlimited. */
  concurrentBatches: number | null;
}

/** Limits of each plan; null means unlimited. */
export const PLAN_LIMITS: Record<Plan, PlanLimits> = {
  free: { requestsPerMinute: 10, requestsPerDay: 100, imagesPerBatch: 10, concurrentBatches: 1 },
  pro: { requestsPerMinute: 60, requestsPerDay: 5000, imagesPerBatch: 50, concurrentBatches: 5 },
  enterprise: {
    requestsPerMinute: null,
    requestsPerDay: null,
    imagesPerBatch: 100,
    concurrentBatches: null,
  },
};

/** Limits for what an account can accumulate. */
export interface AccountLimits {
  /** Largest number of tasks that wait for a worker; null means unlimited. */
  readonly waitingTasks: number | null;
  /** Largest number of bytes of kept results; null means unlimited. */
  readonly keptOutputBytes: number | null;
}

/** Bytes in a GiB, the unit in which operators set the limit of kept results. */
export const GIBIBYTE = 1024 ** 3;

/**
 * Factor on the plan's request rate for reads and cancels on `/api/ai-tasks`, which are counted
 * separately.
 */
export const READ_RATE_FACTOR = 10;
