import { PLANS, type Plan } from '@guise/contract/plans.ts';

/**
 * Weights of accounts by plan. While more work waits than can be done, they share a lane in this
 * ratio.
 */
const PLAN_WEIGHTS: Record<Plan, number> = { free: 1, pro: 2, enterprise: 4 };

/**
 * Returns SQL for the virtual time that a task takes: its price divided by the weight of its
 * account. A free task counts as one credit. The SQL reads the account's `plan`.
 * @param price SQL for the task's price
 */
export function virtualCost(price: string): string {
  const weights = PLANS.map((plan) => `when '${plan}' then ${PLAN_WEIGHTS[plan]}`).join(' ');
  return `(greatest(${price}, 1)::float8 / case plan ${weights} end)`;
}

/** SQL for the virtual time of the new task, whose price is `$9`. */
const COST = virtualCost('$9::bigint');

/** SQL for the virtual time of lane `$5`. */
const VIRTUAL_TIME = '(select virtual_time from queue_lanes where lane = $5)';

/** SQL for an account's finish tag in a lane after a new task in lane `$5`. */
const finishTag = (lane: 'short' | 'long'): string =>
  `case when $5 = '${lane}' then greatest(${lane}_finish_tag, ${VIRTUAL_TIME}) + ${COST} else ${lane}_finish_tag end`;

/** SQL for an update of the account that gives its new task a place in the lane. */
export const SET_FINISH_TAGS = `short_finish_tag = ${finishTag('short')}, long_finish_tag = ${finishTag('long')}`;

/** SQL for the task's start tag, after that update. */
export const START_TAG = `case $5 when 'short' then short_finish_tag else long_finish_tag end - ${COST}`;
