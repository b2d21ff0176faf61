import { TaskFailure } from '@guise/contract/errors.ts';
import { cropImage } from '@guise/kernels/crop-image.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { pyramidOf } from '@guise/kernels/scale/pyramid.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { FaceAnalyser } from '../face/detect/analyser.ts';
import { embeddingDistance } from '../face/detect/embedding-distance.ts';
import { type Face, longerSide } from '../face/geometry/face.ts';
import { translated } from '../face/geometry/landmark-transforms.ts';
import { largestFace } from '../face/detect/largest-face.ts';
import { wholePixels } from '../face/frame/video-frame.ts';
import type { Front } from '../mesh/front/front.ts';
import type { MeshSwapper } from '../mesh/swapper.ts';
import type { SwapParts } from './swap-parts.ts';
import { detectSource } from './detect-source.ts';

/** One more photo of the person in the source image. */
export interface AdditionalSource {
  /** Name in error messages: `additionalSourceImages[1]`. */
  readonly name: string;
  /**
   * Decodes the photo. This function is called once, after the previous photo has been released, so
   * that memory never holds many large photos at once.
   */
  readonly image: () => Promise<RgbImage>;
}

/**
 * An analysed photo of the source's person. Additional photos are cut to the surroundings of the
 * face.
 */
export interface PhotoAnalysis {
  readonly image: RgbImage;
  readonly face: Face;
  /** Things in front of the face. */
  readonly front: Front;
  /** Certainty that it shows the person of the first photo, 0..1. */
  readonly trust: number;
}

/** The result of analysing a source image: plain values that can be sent to another engine. */
export interface SourceAnalysis {
  readonly faces: readonly Face[];
  /**
   * Embedding of the largest face, 128 numbers (see `FaceAnalyser.embed`); null if there is no
   * face.
   */
  readonly identity: Float32Array | null;
}

/**
 * Distance below which two embeddings may show the same person. In the fixtures, two of 2639 pairs
 * of different people are nearer.
 */
const SAME_PERSON_DISTANCE = 0.58;
/**
 * Distance below which two embeddings certainly show the same person: the largest distance between
 * photos of one person in the fixtures.
 */
const SURE_DISTANCE = 0.47;
/** Returns whether two embeddings may show the same person. */
export function showSamePerson(a: Float32Array, b: Float32Array): boolean {
  return embeddingDistance(a, b) <= SAME_PERSON_DISTANCE;
}

/** Margin that is kept around a face, as a share of its box's sides. */
const SURROUNDINGS = 0.25;

/**
 * Analyses the additional photos of a source, one after the other.
 * @param first the source image and its face
 * @returns the first photo and the others, in their order
 * @throws TaskFailure NO_FACE_DETECTED or FACE_MISMATCH, which name the photo that shows no face or
 * another person's
 */
export async function analyseSourcePhotos(
  { analyser, swapper }: SwapParts,
  first: Omit<PhotoAnalysis, 'trust'>,
  additional: readonly AdditionalSource[],
  signal?: AbortSignal,
): Promise<PhotoAnalysis[]> {
  const photos: PhotoAnalysis[] = [{ ...first, trust: 1 }];
  if (additional.length === 0) return photos;
  const wanted = await identityOfSource(analyser, first);
  for (const { name, image: load } of additional) {
    signal?.throwIfAborted();
    const image = await load();
    const face = largestFace(await detectSource(analyser, image));
    if (!face) throw new TaskFailure('NO_FACE_DETECTED', `No face was found in ${name}.`);
    const distance = embeddingDistance(wanted, await analyser.embed(image, face));
    if (distance > SAME_PERSON_DISTANCE) {
      throw new TaskFailure('FACE_MISMATCH', `${name} shows another person than the source image.`);
    }
    photos.push({
      ...aroundFace({ image, face, front: await swapper.lookInFront(pyramidOf(image), face.landmarks) }),
      trust: smoothstep(SAME_PERSON_DISTANCE, SURE_DISTANCE, distance),
    });
  }
  return photos;
}

// Identities are kept as long as their face objects, for the other targets of a batch.
const identities = new WeakMap<Face, Promise<Float32Array>>();
/** Analyses a source image; see `Engine.analyseSource`. */
export async function analyseSource(analyser: FaceAnalyser, source: RgbImage): Promise<SourceAnalysis> {
  const faces = await detectSource(analyser, source);
  const face = largestFace(faces);
  return { faces, identity: face ? await identityOfSource(analyser, { image: source, face }) : null };
}

/** Keeps an analysis of another engine; see `Engine.rememberSourceAnalysis`. */
export function rememberSourceAnalysis({ faces, identity }: SourceAnalysis): void {
  const face = largestFace(faces);
  if (face && identity) identities.set(face, Promise.resolve(identity));
}

/** Returns the embedding of a source's face, which is computed once; see `FaceAnalyser.embed`. */
export function identityOfSource(
  analyser: FaceAnalyser,
  { image, face }: Pick<PhotoAnalysis, 'image' | 'face'>,
): Promise<Float32Array> {
  const known = identities.get(face) ?? analyser.embed(image, face);
  identities.set(face, known);
  return known;
}

// Things in front of faces, kept as long as the identities.
const fronts = new WeakMap<Face, Promise<Front>>();
/** Returns the things in front of a face, which are searched for once. */
export function frontOfFace(
  swapper: MeshSwapper,
  { image, face }: Pick<PhotoAnalysis, 'image' | 'face'>,
): Promise<Front> {
  const known = fronts.get(face) ?? swapper.lookInFront(pyramidOf(image), face.landmarks);
  fronts.set(face, known);
  return known;
}

/** Cuts a photo to the part around the face, from which a source is made. */
export function aroundFace(
  { image, face, front }: Omit<PhotoAnalysis, 'trust'>,
  make: PlaneMaker = ordinaryPlanes,
): Omit<PhotoAnalysis, 'trust'> {
  const { box, landmarks } = face;
  const margin = SURROUNDINGS * longerSide(box);
  const part = wholePixels(
    { x: box.x - margin, y: box.y - margin, width: box.width + 2 * margin, height: box.height + 2 * margin },
    image.width,
    image.height,
  );
  return {
    image: cropImage(image, part, make),
    face: {
      ...face,
      box: { ...box, x: box.x - part.x, y: box.y - part.y },
      landmarks: translated(landmarks, -part.x, -part.y),
    },
    front,
  };
}
