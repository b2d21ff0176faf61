import { TaskFailure } from '@guise/contract/errors.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { pyramidOf } from '@guise/kernels/scale/pyramid.ts';
import type { FaceAnalyser } from '../face/analyser.ts';
import type { Face } from '../face/face.ts';
import { largestFace } from '../face/largest-face.ts';
import type { MeshSwapper } from '../mesh/swapper.ts';
import { detectSource } from './detect-source.ts';
import { identitySimilarity, LEAST_FACE_FOR_IDENTITY_PX } from './identity-similarity.ts';
import { lendSources } from './prepare-sources.ts';
import type { AdditionalSource } from './source-photos.ts';
import { identityOfSource, lookAtSources } from './source-photos.ts';

export interface SwapImageRequest {
  readonly source: RgbImage;
  /** More photos of the source's person. */
  readonly additionalSources?: readonly AdditionalSource[];
  readonly target: RgbImage;
  /** The target is not needed any more: the swap is drawn over its own pixels, not over a copy. */
  readonly drawOver?: boolean;
  /** 0..1: opacity of the sharpened face over the raw swap (docs/decisions/0009#restore-range). */
  readonly faceRestoreVisibility: number;
  /** 0..1: how strongly the target's light, grain and sharpness come back. */
  readonly restoreVisibility: number;
  /** Which of the target's faces, left to right from 0; without it the largest. */
  readonly faceIndex?: number;
  /**
   * What `detectSource` found in the source, or `detect` in the target, where it was looked at
   * already.
   */
  readonly sourceFaces?: readonly Face[];
  readonly targetFaces?: readonly Face[];
  /** Checked between the steps; its reason is thrown. */
  readonly signal?: AbortSignal;
}

export interface SwapImageResult {
  readonly image: RgbImage;
  /** Faces in the target. */
  readonly facesFound: number;
  readonly swappedFaceIndex: number;
  /** Of the source and each additional photo in the texture of the face; together 1. */
  readonly sourceShares: readonly number[];
  /** Of each step; `identity` once that is measured. */
  readonly timingsMs: Record<string, number>;
  /**
   * 1 the same person as the source, 0 a stranger; null where the swapped face is too small to
   * tell. Apart, because the image can be encoded meanwhile.
   */
  measureIdentity(): Promise<number | null>;
}

export interface SwapParts {
  readonly analyser: FaceAnalyser;
  readonly swapper: MeshSwapper;
}

/**
 * One face of the target replaced by the source's largest. Pixels outside the target's face mesh
 * are bit-identical.
 *
 * @throws TaskFailure NO_FACE_DETECTED where an image shows none, FACE_MISMATCH where an additional
 * photo shows somebody else, FACE_NOT_FOUND where `faceIndex` is none of the target's faces.
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
  const looks = await step('lookAtSources', () =>
    lookAtSources(analyser, { image: source, face: sourceFace }, request.additionalSources ?? [], signal),
  );

  const targetFaces = await step('detectTarget', () => request.targetFaces ?? analyser.detect(target));
  const largest = largestFace(targetFaces);
  if (!largest) throw new TaskFailure('NO_FACE_DETECTED', 'No face was found in the target image.');
  const targetFace = request.faceIndex === undefined ? largest : targetFaces[request.faceIndex];
  if (!targetFace) throw noSuchFace(targetFaces.length, request.faceIndex);

  const side = swapper.atlasSide(facePixels(sourceFace), facePixels(targetFace));
  const { prepared, image } = await step('swap', () => {
    const since = performance.now();
    const prepared = lendSources(swapper, looks, side, request.faceRestoreVisibility);
    timingsMs.prepareSource = performance.now() - since;
    const data = request.drawOver ? target.data : new Uint8Array(target.data);
    // Nothing is awaited here: what is lent is not for long.
    return {
      prepared,
      image: swapper.swap(prepared.face, pyramidOf(target), targetFace, request, data, timingsMs),
    };
  });
  timingsMs.swap! -= timingsMs.prepareSource!;
  return {
    image,
    facesFound: targetFaces.length,
    swappedFaceIndex: targetFaces.indexOf(targetFace),
    sourceShares: prepared.shares,
    timingsMs,
    measureIdentity: () =>
      step('identity', () =>
        facePixels(targetFace) < LEAST_FACE_FOR_IDENTITY_PX
          ? null
          : similarity(analyser, source, sourceFace, image, targetFace),
      ),
  };
}

function noSuchFace(count: number, index: number | undefined): TaskFailure {
  const there =
    count === 1
      ? 'The only face of the target image is face 0'
      : `The target image has ${count} faces, numbered from 0`;
  return new TaskFailure('FACE_NOT_FOUND', `${there}: there is no face ${index}.`);
}

/** The result's face lies where the target's lay, so the target's landmarks serve for both. */
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

function facePixels(face: Face): number {
  return Math.max(face.box.width, face.box.height);
}
