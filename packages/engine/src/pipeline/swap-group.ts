import { TaskFailure } from '@guise/contract/errors.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import type { Face } from '../face/geometry/face.ts';
import { detectSource } from './detect-source.ts';
import type { ReviewedFaces } from './review-face.ts';
import { type SwapImageRequest, swapImage } from './swap-image.ts';
import type { SwapParts } from './swap-parts.ts';

export interface GroupReplacement extends Pick<SwapImageRequest, 'additionalSources'> {
  /** Name of the source in error messages. */
  readonly name: string;
  /**
   * Decodes the source, whose largest face is used. This function is called only before its swap,
   * so that memory never holds ten large sources at once.
   */
  readonly source: () => Promise<RgbImage>;
  /** Index into `targetFaces`. All replacements have different ones. */
  readonly faceIndex: number;
}

export interface SwapGroupRequest extends Pick<SwapImageRequest, 'target' | 'restore' | 'signal'> {
  /** All faces of the target, as `detect` returns them. */
  readonly targetFaces: readonly Face[];
  readonly replacements: readonly GroupReplacement[];
  /** Called after each face with the number of faces done. */
  readonly onSwapped?: (count: number) => void;
}

export interface SwapGroupResult {
  readonly image: RgbImage;
  /** Similarity for each replacement, in their order; see `SwapImageResult.measureIdentity`. */
  readonly identitySimilarities: readonly (number | null)[];
  /** Faces of each replacement, in their order; see `SwapImageResult.review`. */
  readonly reviews: readonly Required<ReviewedFaces>[];
}

/**
 * Replaces several faces of one target, one after the other. Each swap works on the result of the
 * previous one, so that touching faces do not undo each other. Pixels outside all their meshes keep
 * every bit.
 *
 * @throws TaskFailure NO_FACE_DETECTED, which names the source, if one shows no face
 */
export async function swapGroup(parts: SwapParts, request: SwapGroupRequest): Promise<SwapGroupResult> {
  const { targetFaces, replacements, signal, onSwapped } = request;
  const identitySimilarities: (number | null)[] = [];
  const reviews: Required<ReviewedFaces>[] = [];
  let image = request.target;
  for (const { name, source: load, additionalSources, faceIndex } of replacements) {
    signal?.throwIfAborted();
    const source = await load();
    const sourceFaces = await detectSource(parts.analyser, source);
    if (sourceFaces.length === 0) {
      throw new TaskFailure('NO_FACE_DETECTED', `No face was found in ${name}.`);
    }
    // A swap does not move faces, so the landmarks of the untouched photo are valid for all swaps.
    const swapped = await swapImage(parts, {
      source,
      sourceFaces,
      additionalSources,
      target: image,
      // After the first face the picture is our own copy, so it may be overwritten.
      drawOver: image !== request.target,
      targetFaces,
      faceIndex,
      restore: request.restore,
      signal,
    });
    image = swapped.image;
    identitySimilarities.push(await swapped.measureIdentity());
    reviews.push(await swapped.review());
    onSwapped?.(identitySimilarities.length);
  }
  return { image, identitySimilarities, reviews };
}
