/** Plans (docs/spec/v1#limits) and the request rates that both interfaces derive from them. */
export const PLANS = ['free', 'pro', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

interface PlanLimits {
  /** null: unlimited. */
  requestsPerMinute: number | null;
  /** Requests of v1 by the UTC day; null: unlimited. */
  requestsPerDay: number | null;
  /** Targets of one v1 batch. */
  imagesPerBatch: number;
  /** v1 batches that have not ended; null: unlimited. */
  concurrentBatches: number | null;
}

/** Limits of each plan; null: unlimited. */
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

/** Limits of what an account may accumulate. */
export interface AccountLimits {
  /** Tasks that wait for a worker; null: unlimited. */
  readonly waitingTasks: number | null;
  /** Bytes of results that are not yet deleted; null: unlimited. */
  readonly keptOutputBytes: number | null;
}

/** Bytes of one GiB, in which operators give the limit of kept results. */
export const GIBIBYTE = 1024 ** 3;

/**
 * Factor on the plan's request rate for reads and cancels on `/api/ai-tasks`, which have a bucket
 * of their own.
 */
export const READ_RATE_FACTOR = 10;
