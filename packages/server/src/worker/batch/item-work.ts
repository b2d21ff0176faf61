import type { SourcePhotos, SwapBatchOrder } from '../../tasks/task.ts';
import type { RestingInput } from '../work/with-inputs.ts';

/** Work of an `item` part: one output of a batch. Its result is a `MadeStill`. */
export interface ItemWork extends Pick<SwapBatchOrder, 'restore' | 'output' | 'label' | 'networks'> {
  readonly source: RestingInput;
  /** More photos of the person in `source`. */
  readonly additionalSources?: SourcePhotos['additionalSources'];
  readonly target: RestingInput;
  /** File that all items of the batch share, if there are several items. */
  readonly shared?: 'source' | 'target';
}

/** Returns which file all items of a batch share; null if there is only one item. */
export function sharedFileOf({ items: [first, second] }: SwapBatchOrder): 'source' | 'target' | null {
  if (first === undefined || second === undefined) return null;
  return first.source.objectKey === second.source.objectKey ? 'source' : 'target';
}
