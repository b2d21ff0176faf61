import { landmarkDistance } from './landmark-distance.ts';

/** Middle of the upper and of the lower lip's inner edge. */
const LIP_MIDDLES = [13, 14] as const;
/** Corners of the inner mouth. */
const INNER_CORNERS = [78, 308] as const;

/**
 * Measures how far a mouth is open: the height between the lips in widths of the inner mouth. Shut
 * mouths have up to 0.07, those that show teeth 0.12 and more.
 * @param landmarks 478 or 468 x (x, y, z)
 */
export function mouthOpening(landmarks: Float32Array): number {
  return landmarkDistance(landmarks, ...LIP_MIDDLES) / landmarkDistance(landmarks, ...INNER_CORNERS);
}
