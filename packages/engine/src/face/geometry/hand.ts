/** Landmarks of a hand: the wrist, then four joints of each finger, from the thumb outwards. */
export const HAND_LANDMARK_COUNT = 21;

/** A hand near a face. */
export interface Hand {
  /** 21 x (x, y), pixels of the upright image. */
  readonly landmarks: Float32Array;
  /** Network's confidence that this is a hand, 0..1. */
  readonly presence: number;
}

/** Names of the landmarks that measures refer to. */
export const HAND_JOINTS = {
  wrist: 0,
  indexBase: 5,
  middleBase: 9,
  ringBase: 13,
  littleBase: 17,
} as const;

/** Measures a hand's palm: the wrist to the middle finger, or as long as its width suggests. */
export function palmLength({ landmarks }: Pick<Hand, 'landmarks'>): number {
  const { wrist, middleBase, indexBase, littleBase } = HAND_JOINTS;
  const length = distance(landmarks, wrist, middleBase);
  return Math.max(length, PALM_LENGTH_PER_WIDTH * distance(landmarks, indexBase, littleBase));
}

/** Length of a palm that is seen straight on, in distances of the index's base to the little finger's. */
const PALM_LENGTH_PER_WIDTH = 1.4;

function distance(points: Float32Array, a: number, b: number): number {
  return Math.hypot(points[2 * a]! - points[2 * b]!, points[2 * a + 1]! - points[2 * b + 1]!);
}
