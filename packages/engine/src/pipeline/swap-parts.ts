import type { FaceAnalyser } from '../face/detect/analyser.ts';
import type { MeshSwapper } from '../mesh/swapper.ts';
import type { OpenSwapNetworks } from '../networks/open-networks.ts';

/** What swaps faces. A network draws them in place of the mesh swapper, if there is one. */
export interface SwapParts extends Omit<OpenSwapNetworks, 'maskers'> {
  readonly analyser: FaceAnalyser;
  readonly swapper: MeshSwapper;
}
