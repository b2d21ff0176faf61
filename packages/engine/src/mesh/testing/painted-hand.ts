import type { Hand } from '../../face/geometry/hand.ts';
import { HAND_LANDMARK_COUNT } from '../../face/geometry/hand.ts';

/**
 * Makes a flat open hand for tests: the wrist at (x, y), fingers up, thumb to the left.
 * @param palm length of its palm, pixels
 */
export function openHand(x: number, y: number, palm: number): Hand {
  const landmarks = new Float32Array(2 * HAND_LANDMARK_COUNT);
  const put = (joint: number, across: number, up: number): void =>
    landmarks.set([x + across * palm, y - up * palm], 2 * joint);
  put(0, 0, 0);
  for (let finger = 0; finger < 5; finger++) {
    for (let joint = 0; joint < 4; joint++) {
      if (finger === 0) put(1 + joint, -0.25 - 0.15 * joint, 0.25 + 0.25 * joint);
      else put(1 + 4 * finger + joint, -0.35 + 0.25 * (finger - 1), 1 + 0.28 * joint);
    }
  }
  return { landmarks, presence: 1 };
}
