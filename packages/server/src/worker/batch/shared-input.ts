import type { Storage } from '../../storage/storage.ts';
import type { StoredInput, SwapBatchOrder } from '../../tasks/task.ts';
import { withInputs } from '../work/with-inputs.ts';

/** Returns which file all items of a batch have in common; null if there is only one item. */
export function sharedPart({ items: [first, second] }: SwapBatchOrder): 'source' | 'target' | null {
  if (first === undefined || second === undefined) return null;
  return first.source.objectKey === second.source.objectKey ? 'source' : 'target';
}

/**
 * Fetches the file that the items share to this machine while `use` runs: out of a bucket it comes
 * once, and under one name, by which an engine knows it (`SharedImageCache`).
 */
export async function withSharedInput<T>(
  storage: Storage,
  order: SwapBatchOrder,
  use: (order: SwapBatchOrder) => Promise<T>,
): Promise<T> {
  const part = sharedPart(order);
  if (part === null) return use(order);
  const shared = order.items[0]![part] as StoredInput;
  return withInputs(storage, [shared], ([localPath]) => {
    const here = { ...shared, localPath: localPath! };
    return use({ ...order, items: order.items.map((item) => ({ ...item, [part]: here })) });
  });
}
