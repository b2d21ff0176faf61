import type { FaceAnalyser } from '../face/detect/analyser.ts';
import type { MeshSwapper } from '../mesh/swapper.ts';

export interface SwapParts {
  readonly analyser: FaceAnalyser;
  readonly swapper: MeshSwapper;
}
