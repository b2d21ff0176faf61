import type { Provider } from '@guise/contract/engines.ts';
import { GUISE_VERSION } from '@guise/contract/version.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { createFaceAnalyser } from '../face/detect/analyser.ts';
import type { FaceAnalyser } from '../face/detect/analyser.ts';
import { loadCanonicalFace } from '../face/geometry/canonical-face.ts';
import type { Face } from '../face/geometry/face.ts';
import type { VideoFrame } from '../face/frame/video-frame.ts';
import { findFaults } from '../mesh/mend/mend-face.ts';
import { createMeshSwapper } from '../mesh/swapper.ts';
import type { NetworkInspection } from '../networks/inspect-network.ts';
import type { OpenNetworks, SwapNetworks } from '../networks/open-networks.ts';
import { ensureModels } from '../models/ensure-models.ts';
import { openSessions } from '../models/sessions.ts';
import { analyseClipSource, type ClipSource } from './clip-source.ts';
import { lookAtFrame, type SeenFace } from './clip-look.ts';
import { disableEscapeAnalysis } from './disable-escape-analysis.ts';
import { useDefaultGc, useThroughputGc } from './garbage-collection.ts';
import { SegmentDrawing, type SegmentRequest } from './draw-segment.ts';
import { openStudy, type OpenStudy } from '../film/study-segment.ts';
import { openVideoSwap } from './one-pass-swap.ts';
import { reviewFace, type ReviewedFace } from './review-face.ts';
import { swapGroup } from './swap-group.ts';
import type { SwapGroupRequest, SwapGroupResult } from './swap-group.ts';
import {
  type AdditionalSource,
  analyseSource,
  rememberSourceAnalysis,
  type SourceAnalysis,
} from './source-photos.ts';
import { swapImage } from './swap-image.ts';
import type { SwapImageRequest, SwapImageResult } from './swap-image.ts';
import type { SwapParts } from './swap-parts.ts';
import type { ProtocolName } from '../networks/protocols.ts';
import type { TriedProvider } from '../networks/try-providers.ts';
import type { SwapVideoRequest, VideoSwap } from './swap-video.ts';

/** The face-swap engine. There is one per process, and its calls run one after the other. */
export interface Engine {
  readonly name: 'mesh';
  /** Version of the engine, which changes whenever the same input gives other pixels. */
  readonly version: string;
  readonly analyser: FaceAnalyser;
  /** Detects every face of the image, left to right. */
  detect(image: RgbImage): Promise<Face[]>;
  /**
   * Detects the faces of a source image for `swapImage`; for a portrait with one face, the cost is
   * low. The identity of the largest face is kept for later calls.
   */
  analyseSource(source: RgbImage): Promise<SourceAnalysis>;
  /** Stores the result of another engine's `analyseSource`, as if this engine had made it. */
  rememberSourceAnalysis(analysis: SourceAnalysis): void;
  /** Lists the traits of this face that may harm a swap. */
  review(image: RgbImage, face: Face): Promise<ReviewedFace>;
  /** @param networks of the operator for this swap */
  swapImage(request: SwapImageRequest, networks?: SwapNetworks): Promise<SwapImageResult>;
  swapGroup(request: SwapGroupRequest, networks?: SwapNetworks): Promise<SwapGroupResult>;
  /** Finds out what networks of the operator can compute on. */
  tryProviders(providers: readonly Provider[]): Promise<TriedProvider[]>;
  /** Finds out whether guise can use a file; see `inspectNetwork` of the networks. */
  readonly inspectNetwork: (
    file: string,
    wanted: ProtocolName | undefined,
    hasMatrix?: boolean,
  ) => Promise<NetworkInspection>;
  /** Opens the swap of one clip, in one pass over its frames; see `VideoSwap`. */
  openVideoSwap(request: SwapVideoRequest, networks?: SwapNetworks): Promise<VideoSwap>;
  /** Finds the faces of one frame of a clip, and their identities; see `personsOfLooks`. */
  lookAtFrame(frame: VideoFrame, isThorough: boolean): Promise<SeenFace[]>;
  /**
   * Analyses the photos of a clip's source.
   * @param name of the first photo in error messages; by default "the source image"
   * @throws TaskFailure as `openVideoSwap` does at the first frame
   */
  analyseClipSource(
    source: RgbImage,
    additionalSources: readonly AdditionalSource[],
    name?: string,
  ): Promise<ClipSource>;
  /**
   * Opens the study of one segment of a film. `chooseFaces` is the next step.
   * @param isApart whether several people get new faces
   */
  openStudy(isApart: boolean): Promise<OpenStudy>;
  /** Opens the drawing of one segment of a film whose faces are chosen. */
  openDrawing(request: SegmentRequest, networks?: SwapNetworks): Promise<SegmentDrawing>;
  /** Frees the models. The engine cannot be used afterwards. */
  close(): Promise<void>;
}

/**
 * Revision of the engine's output. Raise it with every change after which the same input gives
 * other pixels, even slightly. Equal versions in receipts must mean equal results, and the
 * package's version changes only with releases.
 */
const OUTPUT_REVISION = 42;
/** Version in receipts, such as `0.1.0+2`: the revision is semantic versioning's build metadata. */
const ENGINE_VERSION = `${GUISE_VERSION}+${OUTPUT_REVISION}`;

export interface EngineOptions {
  /** Folder of the converted models. Missing or damaged models are converted again. */
  readonly modelCacheDir: string;
}

/** Loads the code for networks of an operator, which most processes never need. */
export const loadNetworkCode = () => import('../networks/open-networks.ts');

export async function createEngine({ modelCacheDir }: EngineOptions): Promise<Engine> {
  disableEscapeAnalysis();
  const sessions = await openSessions(await ensureModels(modelCacheDir));
  const analyser = createFaceAnalyser(sessions);
  const swapper = createMeshSwapper(await loadCanonicalFace(), sessions.inFront, (...swapped) =>
    findFaults(sessions.mend, ...swapped),
  );
  let networks: OpenNetworks | null = null;
  const partsWith = async (wanted: SwapNetworks | undefined): Promise<SwapParts> => {
    if (wanted === undefined) return { analyser, swapper };
    const { OpenNetworks } = await loadNetworkCode();
    networks ??= new OpenNetworks();
    const { maskers, ...open } = await networks.open(wanted);
    const seeing = maskers.reduce(
      (by, masker) => by.alsoSeeing((pyramid, landmarks) => masker.look(pyramid, landmarks)),
      swapper,
    );
    return { analyser, swapper: seeing, ...open };
  };
  return {
    name: 'mesh',
    version: ENGINE_VERSION,
    analyser,
    detect: (image) => analyser.detect(image),
    analyseSource: (source) => analyseSource(analyser, source),
    rememberSourceAnalysis,
    review: (image, face) => reviewFace({ swapper }, image, face),
    async swapImage(request, wanted) {
      useThroughputGc();
      return swapImage(await partsWith(wanted), request);
    },
    swapGroup: async (request, wanted) => swapGroup(await partsWith(wanted), request),
    tryProviders: async (providers) => (await loadNetworkCode()).tryProviders(providers),
    inspectNetwork: async (...about) => (await loadNetworkCode()).inspectNetwork(...about),
    async openVideoSwap(request, wanted) {
      useDefaultGc();
      return openVideoSwap(await partsWith(wanted), request);
    },
    lookAtFrame: (frame, isThorough) => lookAtFrame(analyser, frame, isThorough),
    analyseClipSource: (source, additionalSources, name) =>
      analyseClipSource({ analyser, swapper }, source, additionalSources, name),
    openStudy(isApart) {
      useDefaultGc();
      return openStudy(analyser, isApart);
    },
    async openDrawing(request, wanted) {
      useDefaultGc();
      return new SegmentDrawing(await partsWith(wanted), request);
    },
    async close() {
      await networks?.close();
      await sessions.close();
    },
  };
}
