import { embeddingDistance } from '../face/detect/embedding-distance.ts';

/**
 * Smallest longer side of a face's box, in pixels, from which identity is measured; embeddings of
 * smaller faces say little.
 */
export const LEAST_FACE_FOR_IDENTITY_PX = 32;
/**
 * Number of swapped frames at which identity is first measured; each later measurement is three
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
 * Tells when the likeness to the source is measured, frame by frame: rarer the longer a clip is.
 */
export class IdentityRhythm {
  #next = FIRST_IDENTITY_FRAME;

  /**
   * Returns whether it is measured in a frame.
   * @param swapped number of frames with the new face so far, this one included
   * @param facePx longer side of the face, pixels
   */
  isDue(swapped: number, facePx: number): boolean {
    if (swapped < this.#next || facePx < LEAST_FACE_FOR_IDENTITY_PX) return false;
    this.#next = 3 * swapped;
    return true;
  }
}
