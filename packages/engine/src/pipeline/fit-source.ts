import type { RestoreOptions } from '@guise/contract/work.ts';
import type { ClipDrawer } from './clip-drawer.ts';
import { type FacesToFit, FittedSource } from './fitted-source.ts';
import { NetworkClipSource } from './network-clip-source.ts';
import type { PhotoAnalysis } from './source-photos.ts';
import type { SwapParts } from './swap-parts.ts';

/** Prepares a source for one person's faces: for the operator's network, or for the mesh. */
export function fitSource(
  { analyser, swapper, network }: SwapParts,
  photos: readonly PhotoAnalysis[],
  faces: FacesToFit,
  restore: RestoreOptions,
): ClipDrawer {
  return network
    ? new NetworkClipSource(network, swapper, analyser.hands, photos, restore)
    : new FittedSource(swapper, photos, faces, restore, analyser.hands);
}
