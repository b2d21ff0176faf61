import type { SwapBatchOrder } from '../../tasks/task.ts';
import type { RestingInput } from '../work/with-inputs.ts';

/** Work of a part `item`: one output of a batch. Its result is a `MadeStill`. */
export interface ItemWork extends Pick<SwapBatchOrder, 'restore' | 'output'> {
  readonly source: RestingInput;
  readonly target: RestingInput;
  /** File that all items of the batch have in common, if there are several. */
  readonly shared?: 'source' | 'target';
}

/** Returns which file all items of a batch have in common; null if there is only one item. */
export function sharedFileOf({ items: [first, second] }: SwapBatchOrder): 'source' | 'target' | null {
  if (first === undefined || second === undefined) return null;
  return first.source.objectKey === second.source.objectKey ? 'source' : 'target';
}
