import type { WithdrawalBody } from '@guise/contract/ai-tasks/face-schemas.ts';

/** Returns a sentence about what a withdrawal did. */
export function withdrawalOutcome({ endedTasks, deletedOutputs }: WithdrawalBody): string {
  const stopped =
    endedTasks === 1 ? '1 unfinished swap was stopped' : `${endedTasks} unfinished swaps were stopped`;
  const deleted = deletedOutputs === 1 ? '1 result was deleted' : `${deletedOutputs} results were deleted`;
  return `The photos are deleted, ${stopped}, and ${deleted}.`;
}
