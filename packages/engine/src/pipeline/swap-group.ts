import { TaskFailure } from '@guise/contract/errors.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import type { Face } from '../face/face.ts';
import { detectSource } from './detect-source.ts';
import { type SwapImageRequest, type SwapParts, swapImage } from './swap-image.ts';

export interface GroupReplacement {
  /** Of the source, for sentences. */
  readonly name: string;
  /**
   * Asked for when its turn comes, so that ten big sources are never in memory at once. Its largest
   * face is used.
   */
  readonly source: () => Promise<RgbImage>;
  /** Which of `targetFaces`; no two the same. */
  readonly faceIndex: number;
}

export interface SwapGroupRequest extends Pick<
  SwapImageRequest,
  'target' | 'faceRestoreVisibility' | 'restoreVisibility' | 'signal'
> {
  /** Every face of the target, as `detect` gives them. */
  readonly targetFaces: readonly Face[];
  readonly replacements: readonly GroupReplacement[];
  /** After each face: how many are done. */
  readonly onSwapped?: (count: number) => void;
}

export interface SwapGroupResult {
  readonly image: RgbImage;
  /** One a replacement, in their order; see `SwapImageResult.measureIdentity`. */
  readonly identitySimilarities: readonly (number | null)[];
}

/**
 * Several faces of one target replaced, one after the other, each into what the one before left:
 * where two faces touch, neither undoes the other. Pixels outside the meshes of these faces are
 * bit-identical.
 *
 * @throws TaskFailure NO_FACE_DETECTED, naming the source, where one shows none.
 */
export async function swapGroup(parts: SwapParts, request: SwapGroupRequest): Promise<SwapGroupResult> {
  const { targetFaces, replacements, signal, onSwapped } = request;
  const identitySimilarities: (number | null)[] = [];
  let image = request.target;
  for (const { name, source: load, faceIndex } of replacements) {
    signal?.throwIfAborted();
    const source = await load();
    const sourceFaces = await detectSource(parts.analyser, source);
    if (sourceFaces.length === 0) {
      throw new TaskFailure('NO_FACE_DETECTED', `No face was found in ${name}.`);
    }
    // The faces lie where they lay: the landmarks of the untouched photo serve for all.
    const swapped = await swapImage(parts, {
      source,
      sourceFaces,
      target: image,
      // Of all but the first face the picture is one of ours.
      drawOver: image !== request.target,
      targetFaces,
      faceIndex,
      faceRestoreVisibility: request.faceRestoreVisibility,
      restoreVisibility: request.restoreVisibility,
      ...(signal === undefined ? {} : { signal }),
    });
    image = swapped.image;
    identitySimilarities.push(await swapped.measureIdentity());
    onSwapped?.(identitySimilarities.length);
  }
  return { image, identitySimilarities };
}
