import { embeddingDistance } from '../face/embedding-distance.ts';

/** Embeddings of smaller faces say little. Longer side of the box. */
export const LEAST_FACE_FOR_IDENTITY_PX = 32;
/** Distance of embeddings from which on two faces surely are strangers'. */
const STRANGER_DISTANCE = 1;

/**
 * How like the swapped face is to the source's, both as `FaceAnalyser.embed` sees them: 1 the same
 * person, 0 a stranger.
 */
export function identitySimilarity(wanted: Float32Array, reached: Float32Array): number {
  return Math.max(0, 1 - embeddingDistance(wanted, reached) / STRANGER_DISTANCE);
}
