import { EYES } from '../uv/face-regions.ts';
import { landmarkDistance } from '../../face/geometry/landmark-distance.ts';

/** Middle of the edges of the upper and the lower lid, for the right eye first. */
const LID_MIDDLES = [
  [159, 145],
  [386, 374],
] as const;
/** Yaw from which the landmarks of the far eye are guesses, degrees. */
const FAR_EYE_DEGREES = 25;

/**
 * Measures how far the eyes are open: the distance between the lids in widths of the eye. Open eyes
 * have 0.25 to 0.42, shut eyes less than 0.18. On a turned face only the more open eye counts.
 * @param landmarks 478 or 468 x (x, y, z)
 * @param yaw degrees
 */
export function eyeOpening(landmarks: Float32Array, yaw: number): number {
  const [right, left] = EYES.map(({ corners }, k) => {
    const [upper, lower] = LID_MIDDLES[k]!;
    const [one, other] = corners;
    return landmarkDistance(landmarks, upper, lower) / landmarkDistance(landmarks, one, other);
  }) as [number, number];
  return Math.abs(yaw) >= FAR_EYE_DEGREES ? Math.max(right, left) : (right + left) / 2;
}
