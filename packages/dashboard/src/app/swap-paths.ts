/** Paths of the page of swaps. */
export const SWAP_PATHS: readonly string[] = ['/', '/batch', '/group', '/film'];
