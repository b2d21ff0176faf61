import { TaskFailure } from '@guise/contract/errors.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { largestFace } from '../face/detect/largest-face.ts';
import { detectSource } from './detect-source.ts';
import { reviewFace, type ReviewedFace } from './review-face.ts';
import type { AdditionalSource, PhotoAnalysis } from './source-photos.ts';
import { analyseSourcePhotos, aroundFace, frontOfFace } from './source-photos.ts';
import type { SwapParts } from './swap-parts.ts';

/** The analysed photos of a clip's source, and their identity. */
export interface ClipSource {
  /** Photos cut to the surroundings of the face, because they are kept for the whole clip. */
  readonly photos: readonly PhotoAnalysis[];
  /** Embedding of the source's face; see `FaceAnalyser.embed`. */
  readonly identity: Float32Array;
  /** Face of the first photo, in the pixels of the whole photo. */
  readonly reviewed: ReviewedFace;
}

/**
 * Analyses the photos of a clip's source.
 * @param sourceName name of the first photo in error messages
 * @throws TaskFailure NO_FACE_DETECTED if a photo shows no face, FACE_MISMATCH if an additional one
 * shows another person
 */
export async function analyseClipSource(
  parts: SwapParts,
  source: RgbImage,
  additionalSources: readonly AdditionalSource[],
  sourceName = 'the source image',
): Promise<ClipSource> {
  const { analyser } = parts;
  const face = largestFace(await detectSource(analyser, source));
  if (!face) throw new TaskFailure('NO_FACE_DETECTED', `No face was found in ${sourceName}.`);
  const front = await frontOfFace(parts.swapper, { image: source, face });
  return {
    photos: await analyseSourcePhotos(parts, aroundFace({ image: source, face, front }), additionalSources),
    identity: await analyser.embed(source, face),
    reviewed: await reviewFace(parts, source, face),
  };
}
