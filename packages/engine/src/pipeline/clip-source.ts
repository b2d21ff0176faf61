import { TaskFailure } from '@guise/contract/errors.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import type { FaceAnalyser } from '../face/analyser.ts';
import { largestFace } from '../face/largest-face.ts';
import { detectSource } from './detect-source.ts';
import type { AdditionalSource, SourceLook } from './source-photos.ts';
import { aroundFace, lookAtSources } from './source-photos.ts';

/** The photos of a clip's source, looked at, and whom they show. */
export interface ClipSource {
  /** Only what is around the faces: they are kept as long as the clip lasts. */
  readonly looks: readonly SourceLook[];
  /** See `FaceAnalyser.embed`. */
  readonly identity: Float32Array;
}

/**
 * @throws TaskFailure NO_FACE_DETECTED where a photo shows none, FACE_MISMATCH where an additional
 * one shows somebody else
 */
export async function lookAtClipSource(
  analyser: FaceAnalyser,
  source: RgbImage,
  additionalSources: readonly AdditionalSource[],
): Promise<ClipSource> {
  const face = largestFace(await detectSource(analyser, source));
  if (!face) throw new TaskFailure('NO_FACE_DETECTED', 'No face was found in the source image.');
  return {
    looks: await lookAtSources(analyser, aroundFace(source, face), additionalSources),
    identity: await analyser.embed(source, face),
  };
}
