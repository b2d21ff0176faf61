import type { Storage } from '../storage/storage.ts';
import type { StoredInput, SwapBatchOrder } from '../tasks/task.ts';
import { withInputs } from './with-inputs.ts';

/** Which file all items of a batch have in common; null where there is but one item. */
export function sharedPart({ items: [first, second] }: SwapBatchOrder): 'source' | 'target' | null {
  if (first === undefined || second === undefined) return null;
  return first.source.objectKey === second.source.objectKey ? 'source' : 'target';
}

/**
 * The order with the file that its items share on this machine while `use` runs: out of a bucket it
 * comes once, and always under the name that an engine knows it by (`KeptImage`).
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
