import type { Plan } from '@guise/contract/plans.ts';
import type { Lane } from '@guise/contract/task.ts';
import type { LaneTags } from '@guise/server/tasks/queue/claim-tasks.ts';
import { PLAN_WEIGHTS } from '@guise/server/tasks/start-tag.ts';

/** Account as the queue knows it. */
export interface TaggedAccount {
  readonly plan: Plan;
  /** Ends of its last tasks in each lane's virtual time. */
  readonly finishTags: LaneTags;
}

/** Virtual time that a task takes; a free one counts as one credit. */
export function virtualCost(plan: Plan, credits: number): number {
  return Math.max(credits, 1) / PLAN_WEIGHTS[plan];
}

/**
 * Gives a new task its place and moves its account's finish tag: the arithmetic of the SQL in
 * `tasks/start-tag.ts`. @returns the task's start tag
 */
export function takeStartTag(
  { plan, finishTags }: TaggedAccount,
  lane: Lane,
  credits: number,
  virtualTime: number,
): number {
  const cost = virtualCost(plan, credits);
  finishTags[lane] = Math.max(finishTags[lane], virtualTime) + cost;
  return finishTags[lane] - cost;
}
