import { GUISE_VERSION } from '@guise/contract/version.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { createFaceAnalyser } from '../face/analyser.ts';
import type { FaceAnalyser } from '../face/analyser.ts';
import { loadCanonicalFace } from '../face/canonical-face.ts';
import type { Face } from '../face/face.ts';
import { createMeshSwapper } from '../mesh/swapper.ts';
import { ensureModels } from '../models/ensure-models.ts';
import { openSessions } from '../models/sessions.ts';
import { keepNumbersApart } from './own-numbers.ts';
import { collectAsUsual, collectSeldom } from './garbage.ts';
import { openVideoSwap } from './one-pass-swap.ts';
import { swapGroup } from './swap-group.ts';
import type { SwapGroupRequest, SwapGroupResult } from './swap-group.ts';
import { lookAtSource, recallSource, type SeenSource } from './source-photos.ts';
import { swapImage } from './swap-image.ts';
import type { SwapImageRequest, SwapImageResult } from './swap-image.ts';
import type { SwapVideoRequest, VideoSwap } from './swap-video.ts';

/** Everything that turns frames into swapped frames. One per process; calls run one after the other. */
export interface Engine {
  readonly name: 'mesh';
  /** Changes whenever the same input gives other pixels. */
  readonly version: string;
  readonly analyser: FaceAnalyser;
  /** Every face of the image, left to right. */
  detect(image: RgbImage): Promise<Face[]>;
  /** The faces of a source image, for `swapImage`; of a portrait, its one face. Whom the largest shows is known from then on. */
  lookAtSource(source: RgbImage): Promise<SeenSource>;
  /** As if this engine had looked: for what another one saw. */
  recallSource(seen: SeenSource): void;
  swapImage(request: SwapImageRequest): Promise<SwapImageResult>;
  swapGroup(request: SwapGroupRequest): Promise<SwapGroupResult>;
  /** One clip, in one pass over its frames: see `VideoSwap`. */
  openVideoSwap(request: SwapVideoRequest): Promise<VideoSwap>;
  /** Frees the models. The engine is of no use afterwards. */
  close(): Promise<void>;
}

/**
 * Raise it with every change after which the same input gives other pixels, however small: receipts with the same
 * version must mean the same result, and between two releases the package's version alone does not say.
 */
const OUTPUT_REVISION = 16;
/** Such as `0.1.0+2`: semantic versioning's build metadata. */
const ENGINE_VERSION = `${GUISE_VERSION}+${OUTPUT_REVISION}`;

export interface EngineOptions {
  /** Folder of the converted models; missing or damaged ones are converted again. */
  readonly modelCacheDir: string;
}

export async function createEngine({ modelCacheDir }: EngineOptions): Promise<Engine> {
  keepNumbersApart();
  const sessions = await openSessions(await ensureModels(modelCacheDir));
  const analyser = createFaceAnalyser(sessions);
  const swapper = createMeshSwapper(await loadCanonicalFace());
  return {
    name: 'mesh',
    version: ENGINE_VERSION,
    analyser,
    detect: (image) => analyser.detect(image),
    lookAtSource: (source) => lookAtSource(analyser, source),
    recallSource,
    swapImage(request) {
      collectSeldom();
      return swapImage({ analyser, swapper }, request);
    },
    swapGroup: (request) => swapGroup({ analyser, swapper }, request),
    openVideoSwap(request) {
      collectAsUsual();
      return openVideoSwap({ analyser, swapper }, request);
    },
    close: () => sessions.close(),
  };
}
