import type { RemoteInput, SourcePhotos, StoredInput, WorkSpec } from '../tasks/task.ts';

/** Work that makes no result: it only says which faces a file has. */
type Look = Extract<WorkSpec, { readonly kind: 'detect-faces' | 'check-face' | 'look-at-clip' }>;

/** Order that makes a result. */
export type SwapOrder = Exclude<WorkSpec, Look>;

/** Returns whether an order makes a result. */
export function isSwap(work: WorkSpec): work is SwapOrder {
  return work.kind !== 'detect-faces' && work.kind !== 'check-face' && work.kind !== 'look-at-clip';
}

/** Lists all files of an order, each once: sources, then targets. */
export function inputsOf(order: SwapOrder): readonly (StoredInput | RemoteInput)[] {
  return [...new Map(filesOf(order).map((input) => [keyOf(input), input])).values()];
}

function filesOf(order: SwapOrder): readonly (StoredInput | RemoteInput)[] {
  switch (order.kind) {
    case 'swap-batch':
      return [...order.items.flatMap(photosOf), ...order.items.map(({ target }) => target)];
    case 'swap-group':
      return [...order.replacements.flatMap(photosOf), order.target];
    case 'swap-persons':
      return [...order.mappings.flatMap(photosOf), order.target];
    case 'swap-gif':
    case 'swap-image':
    case 'swap-video':
      return [...photosOf(order), order.target];
  }
}

function photosOf({ source, additionalSources = [] }: SourcePhotos): StoredInput[] {
  return [source, ...additionalSources];
}

/** Names a file. Targets by URL are named by their field, because two may have one URL. */
function keyOf(input: StoredInput | RemoteInput): string {
  return 'url' in input ? input.field : input.objectKey;
}
