import { PLANS, type Plan } from '@guise/contract/plans.ts';

/** Shares of a lane that accounts get by plan while more waits than can be worked on. */
const PLAN_WEIGHTS: Record<Plan, number> = { free: 1, pro: 2, enterprise: 4 };

/**
 * Returns SQL for the virtual time that a task takes: its price, which grows with its work, by the
 * weight of its account. A free task counts as one credit. Reads the account's `plan`.
 * @param price SQL for the task's price
 */
export function virtualCost(price: string): string {
  const weights = PLANS.map((plan) => `when '${plan}' then ${PLAN_WEIGHTS[plan]}`).join(' ');
  return `(greatest(${price}, 1)::float8 / case plan ${weights} end)`;
}

/** SQL for the virtual time of the task that is created, whose price is `$9`. */
const COST = virtualCost('$9::bigint');

/** SQL for the virtual time of the lane `$5`. */
const VIRTUAL_TIME = '(select virtual_time from queue_lanes where lane = $5)';

/** SQL for an account's finish tag in a lane after a task in the lane `$5`. */
const finishTag = (lane: 'short' | 'long'): string =>
  `case when $5 = '${lane}' then greatest(${lane}_finish_tag, ${VIRTUAL_TIME}) + ${COST} else ${lane}_finish_tag end`;

/** SQL of an update of the account, which gives its next task a place in the lane. */
export const SET_FINISH_TAGS = `short_finish_tag = ${finishTag('short')}, long_finish_tag = ${finishTag('long')}`;

/** SQL for the task's start tag, after that update: where the account's last task ended. */
export const START_TAG = `case $5 when 'short' then short_finish_tag else long_finish_tag end - ${COST}`;
