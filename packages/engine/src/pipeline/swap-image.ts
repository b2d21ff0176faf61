import { TaskFailure } from '@guise/contract/errors.ts';
import type { StillOptions } from '@guise/contract/work.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { pyramidOf } from '@guise/kernels/scale/pyramid.ts';
import type { FaceAnalyser } from '../face/detect/analyser.ts';
import { type Face, longerSide } from '../face/geometry/face.ts';
import { largestFace } from '../face/detect/largest-face.ts';
import { drawFace } from './draw-face.ts';
import { detectSource } from './detect-source.ts';
import { identitySimilarity, MIN_FACE_FOR_IDENTITY_PX } from './identity-similarity.ts';
import { reviewFace, type ReviewedFaces } from './review-face.ts';
import type { AdditionalSource } from './source-photos.ts';
import type { SwapParts } from './swap-parts.ts';
import { analyseSourcePhotos, frontOfFace, identityOfSource } from './source-photos.ts';

export interface SwapImageRequest extends Pick<StillOptions, 'restore' | 'faceIndex'> {
  readonly source: RgbImage;
  /** Further photos of the source's person. */
  readonly additionalSources?: readonly AdditionalSource[];
  readonly target: RgbImage;
  /** True if the swap may be drawn over the target's own pixels instead of a copy. */
  readonly drawOver?: boolean;
  /** Faces that `detectSource` found in the source, if it has run already. */
  readonly sourceFaces?: readonly Face[];
  /** Faces that `detect` found in the target, if it has run already. */
  readonly targetFaces?: readonly Face[];
  /** Aborts the swap between two steps; its reason is thrown. */
  readonly signal?: AbortSignal;
}

export interface SwapImageResult {
  readonly image: RgbImage;
  /** Number of faces in the target. */
  readonly facesFound: number;
  readonly swappedFaceIndex: number;
  /** Share of the source and of each additional photo in the face's texture. Their sum is 1. */
  readonly sourceShares: readonly number[];
  /** Milliseconds of each step. `identity` and `review` are added when they have been made. */
  readonly timingsMs: Record<string, number>;
  /**
   * Measures the similarity to the source: 1 for the same person, 0 for another person, null if the
   * swapped face is too small. The measurement is a separate call, so that the image can be encoded
   * at the same time.
   */
  measureIdentity(): Promise<number | null>;
  /**
   * Reviews both faces, and of the target only the traits that matter, in a separate call like
   * `measureIdentity`.
   */
  review(): Promise<Required<ReviewedFaces>>;
}

/**
 * Replaces one face of the target by the source's largest face. Pixels outside the target's face
 * mesh keep every bit.
 *
 * @throws TaskFailure NO_FACE_DETECTED if an image shows no face, FACE_MISMATCH if an additional
 * photo shows another person, FACE_NOT_FOUND if `faceIndex` is not one of the target's faces
 */
export async function swapImage(parts: SwapParts, request: SwapImageRequest): Promise<SwapImageResult> {
  const { analyser, swapper } = parts;
  const { source, target, signal } = request;
  const timingsMs: Record<string, number> = {};
  const step = async <T>(name: string, work: () => T | Promise<T>): Promise<T> => {
    signal?.throwIfAborted();
    const since = performance.now();
    const result = await work();
    timingsMs[name] = performance.now() - since;
    return result;
  };

  const sourceFace = await step('detectSource', async () =>
    largestFace(request.sourceFaces ?? (await detectSource(analyser, source))),
  );
  if (!sourceFace) throw new TaskFailure('NO_FACE_DETECTED', 'No face was found in the source image.');
  // Receipts show this step under this name, so the name must stay.
  const photos = await step('lookAtSources', async () =>
    analyseSourcePhotos(
      parts,
      {
        image: source,
        face: sourceFace,
        front: await frontOfFace(swapper, { image: source, face: sourceFace }),
      },
      request.additionalSources ?? [],
      signal,
    ),
  );

  const targetFaces = await step('detectTarget', () => request.targetFaces ?? analyser.detect(target));
  const largest = largestFace(targetFaces);
  if (!largest) throw new TaskFailure('NO_FACE_DETECTED', 'No face was found in the target image.');
  const targetFace = request.faceIndex === undefined ? largest : targetFaces[request.faceIndex];
  if (!targetFace) throw noSuchFace(targetFaces.length, request.faceIndex);

  const pyramid = pyramidOf(target);
  const front = await step('lookInFront', () => frontOfFace(swapper, { image: target, face: targetFace }));
  const hands = await step('findHands', () => analyser.hands.find(pyramid, targetFace.landmarks));
  // The review comes before the swap, which may be drawn over the target.
  const targetTraits = await step('reviewTarget', () => swapper.reviewTarget(pyramid, targetFace, front));
  const data = request.drawOver ? target.data : new Uint8Array(target.data);
  const { image, sourceShares } = await step('swap', () =>
    drawFace(
      parts,
      photos,
      { pyramid, face: targetFace, front, hands, restore: request.restore, data },
      timingsMs,
    ),
  );
  timingsMs.swap! -= timingsMs.prepareSource!;
  return {
    image,
    facesFound: targetFaces.length,
    swappedFaceIndex: targetFaces.indexOf(targetFace),
    sourceShares,
    timingsMs,
    measureIdentity: () =>
      step('identity', () =>
        longerSide(targetFace.box) < MIN_FACE_FOR_IDENTITY_PX
          ? null
          : similarity(analyser, source, sourceFace, image, targetFace),
      ),
    review: () =>
      step('review', async () => ({
        source: await reviewFace(parts, source, sourceFace),
        target: { face: targetFace, traits: targetTraits },
      })),
  };
}

function noSuchFace(count: number, index: number | undefined): TaskFailure {
  const there =
    count === 1
      ? 'The only face of the target image is face 0'
      : `The target image has ${count} faces, numbered from 0`;
  return new TaskFailure('FACE_NOT_FOUND', `${there}: there is no face ${index}.`);
}

/**
 * Measures the similarity of the result to the source. The result's face is where the target's was,
 * so the target's landmarks are valid for both.
 */
async function similarity(
  analyser: FaceAnalyser,
  source: RgbImage,
  sourceFace: Face,
  image: RgbImage,
  targetFace: Face,
): Promise<number> {
  const wanted = await identityOfSource(analyser, { image: source, face: sourceFace });
  const reached = await analyser.embed(image, targetFace);
  return identitySimilarity(wanted, reached);
}
