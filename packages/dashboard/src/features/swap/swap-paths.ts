import { SWAP_KINDS, type SwapKind } from './state/draft.ts';

/** Paths of the page of swaps, by what is changed. */
export const SWAP_PATHS: Readonly<Record<SwapKind, string>> = {
  photo: '/',
  batch: '/batch',
  group: '/group',
  film: '/film',
};

/**
 * Returns what the page of swaps at a path changes; undefined if another page is there. As in other
 * addresses, capitals and a slash at the end do not count.
 */
export function swapKindOf(path: string): SwapKind | undefined {
  const bare = path.toLowerCase().replace(/(?!^)\/$/, '');
  return SWAP_KINDS.find((kind) => SWAP_PATHS[kind] === bare);
}
