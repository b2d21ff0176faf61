import type { RestoreOptions } from '@guise/contract/work.ts';
import type { ClipDrawer } from './clip-drawer.ts';
import { ClipOccluders } from './clip-occluders.ts';
import { type FacesToFit, FittedSource } from './fitted-source.ts';
import { NetworkClipSource } from './network-clip-source.ts';
import { RestoredClipSource } from './restored-clip-source.ts';
import type { PhotoAnalysis } from './source-photos.ts';
import type { SwapParts } from './swap-parts.ts';

/**
 * Prepares a source for one person's faces: for the operator's network, or for the mesh. Then the
 * operator's restorer makes the faces sharper, if there is one.
 */
export function fitSource(
  { analyser, swapper, network, restorer }: SwapParts,
  photos: readonly PhotoAnalysis[],
  faces: FacesToFit,
  restore: RestoreOptions,
): ClipDrawer {
  const occluders = new ClipOccluders(swapper, analyser.hands);
  const drawn = network
    ? new NetworkClipSource(network, swapper, occluders, photos, restore)
    : new FittedSource(swapper, photos, faces, restore, analyser.hands);
  const { faceRestoreVisibility } = restore;
  return restorer && faceRestoreVisibility > 0
    ? new RestoredClipSource(drawn, restorer, swapper, occluders, faceRestoreVisibility)
    : drawn;
}
