import { embeddingDistance } from '../face/detect/embedding-distance.ts';

/**
 * Smallest longer side of a face's box, in pixels, at which identity is measured. Embeddings of
 * smaller faces are unreliable.
 */
export const MIN_FACE_FOR_IDENTITY_PX = 32;
/**
 * Number of swapped frames at which identity is first measured. Each later measurement is three
 * times as far into the clip.
 */
const FIRST_IDENTITY_FRAME = 8;
/** Distance of embeddings from which two faces certainly show different people. */
const STRANGER_DISTANCE = 1;

/**
 * Returns the similarity of two embeddings (see `FaceAnalyser.embed`): 1 for the same person, 0 for
 * different people.
 */
export function identitySimilarity(wanted: Float32Array, reached: Float32Array): number {
  return Math.max(0, 1 - embeddingDistance(wanted, reached) / STRANGER_DISTANCE);
}

/**
 * Decides in which frames the similarity to the source is measured. The measurements become rarer
 * during a clip.
 */
export class IdentityRhythm {
  #next = FIRST_IDENTITY_FRAME;

  /**
   * Returns whether to measure in a frame.
   * @param swapped number of frames with the new face so far, including this one
   * @param facePx longer side of the face, pixels
   */
  isDue(swapped: number, facePx: number): boolean {
    if (swapped < this.#next || facePx < MIN_FACE_FOR_IDENTITY_PX) return false;
    this.#next = 3 * swapped;
    return true;
  }
}
