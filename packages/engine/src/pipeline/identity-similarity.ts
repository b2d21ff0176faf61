import { embeddingDistance } from '../face/detect/embedding-distance.ts';

/**
 * Smallest longer side of a face's box, in pixels, from which identity is measured; embeddings of
 * smaller faces say little.
 */
export const LEAST_FACE_FOR_IDENTITY_PX = 32;
/** Distance of embeddings from which two faces certainly show different people. */
const STRANGER_DISTANCE = 1;

/**
 * Returns the similarity of two embeddings (see `FaceAnalyser.embed`): 1 for the same person, 0 for
 * a stranger.
 */
export function identitySimilarity(wanted: Float32Array, reached: Float32Array): number {
  return Math.max(0, 1 - embeddingDistance(wanted, reached) / STRANGER_DISTANCE);
}
