/** Plans (v1 spec: Limits) and the request rates that both interfaces derive from them. */
export const PLANS = ['free', 'pro', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

interface PlanLimits {
  /** null: unlimited. */
  requestsPerMinute: number | null;
}

export const PLAN_LIMITS: Record<Plan, PlanLimits> = {
  free: { requestsPerMinute: 10 },
  pro: { requestsPerMinute: 60 },
  enterprise: { requestsPerMinute: null },
};

/** Reads and cancels on `/api/ai-tasks` get this many times the plan's requests, in a bucket of their own. */
export const READ_RATE_FACTOR = 10;
