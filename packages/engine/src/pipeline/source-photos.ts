import { TaskFailure } from '@guise/contract/errors.ts';
import { cropImage } from '@guise/kernels/crop-image.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { FaceAnalyser } from '../face/analyser.ts';
import { embeddingDistance } from '../face/embedding-distance.ts';
import type { Face } from '../face/face.ts';
import { translated } from '../face/landmark-transforms.ts';
import { largestFace } from '../face/largest-face.ts';
import { wholePixels } from '../face/video-frame.ts';
import { detectSource } from './detect-source.ts';

/** One more photo of the person in the source image. */
export interface AdditionalSource {
  /** For sentences: `additionalSourceImages[1]`. */
  readonly name: string;
  /**
   * Called once, after the photo before was let go: many large ones are never in memory at once.
   */
  readonly image: () => Promise<RgbImage>;
}

/**
 * A photo of the source's person that was looked at; of an additional one only what is around the
 * face.
 */
export interface SourceLook {
  readonly image: RgbImage;
  readonly face: Face;
  /** 0..1: how surely it shows the person of the first. */
  readonly trust: number;
}

/** What a look at a source image found: plain values, which another engine can be told. */
export interface SeenSource {
  readonly faces: readonly Face[];
  /** 128 numbers, see `FaceAnalyser.embed`; of the largest face, null where there is none. */
  readonly identity: Float32Array | null;
}

/**
 * Embeddings of one person's photos are nearer than this; of the fixtures' 2639 pairs of two
 * people's, two are.
 */
const SAME_PERSON_DISTANCE = 0.58;
/**
 * As near as this it surely is the same person: what a person's own photos differ by at most,
 * there.
 */
const SURE_DISTANCE = 0.47;
/** What is kept around a face, in its box's sides. */
const SURROUNDINGS = 0.25;

/**
 * Looks at the additional photos of a source, one after the other.
 * @param first the source image and its face
 * @returns the first and the others, in their order
 * @throws TaskFailure NO_FACE_DETECTED or FACE_MISMATCH, naming the photo that shows no face or
 * another person's
 */
export async function lookAtSources(
  analyser: FaceAnalyser,
  first: Pick<SourceLook, 'image' | 'face'>,
  additional: readonly AdditionalSource[],
  signal?: AbortSignal,
): Promise<SourceLook[]> {
  const looks: SourceLook[] = [{ ...first, trust: 1 }];
  if (additional.length === 0) return looks;
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
    looks.push({
      ...aroundFace(image, face),
      trust: smoothstep(SAME_PERSON_DISTANCE, SURE_DISTANCE, distance),
    });
  }
  return looks;
}

// What is known of a source is kept as long as its face is, for the other targets of a batch.
const identities = new WeakMap<Face, Promise<Float32Array>>();
/** See `Engine.lookAtSource`. */
export async function lookAtSource(analyser: FaceAnalyser, source: RgbImage): Promise<SeenSource> {
  const faces = await detectSource(analyser, source);
  const face = largestFace(faces);
  return { faces, identity: face ? await identityOfSource(analyser, { image: source, face }) : null };
}

/** See `Engine.recallSource`. */
export function recallSource({ faces, identity }: SeenSource): void {
  const face = largestFace(faces);
  if (face && identity) identities.set(face, Promise.resolve(identity));
}

/** See `FaceAnalyser.embed`. */
export function identityOfSource(
  analyser: FaceAnalyser,
  { image, face }: Pick<SourceLook, 'image' | 'face'>,
): Promise<Float32Array> {
  const known = identities.get(face) ?? analyser.embed(image, face);
  identities.set(face, known);
  return known;
}

/** The part of a photo with a face that a source is made of. */
export function aroundFace(
  image: RgbImage,
  face: Face,
  make: PlaneMaker = ordinaryPlanes,
): Pick<SourceLook, 'image' | 'face'> {
  const { box, landmarks } = face;
  const margin = SURROUNDINGS * Math.max(box.width, box.height);
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
  };
}
