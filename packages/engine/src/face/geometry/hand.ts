import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import type { Region } from './region.ts';

/** Landmarks of a hand: the wrist, then four joints of each finger, from the thumb outwards. */
export const HAND_LANDMARK_COUNT = 21;

/** A hand near a face. */
export interface Hand {
  /** 21 x (x, y), pixels of the upright image. */
  readonly landmarks: Float32Array;
  /** Network's confidence that this is a hand, 0..1. */
  readonly presence: number;
}

/** A place next to or below a face where a hand may touch it. */
export interface HandPlace {
  /** Number of the place, the same in every frame. */
  readonly index: number;
  /**
   * Whether a look is only useful if another hand is there: the place of a second hand in front of
   * the jaw.
   */
  readonly isForSecond: boolean;
  /** Share of the place that has the colour of the face's skin, 0..1. */
  readonly skinShare: number;
  /** The square that the network reads. */
  readonly region: Region;
}

/** Finds the hands in front of or next to a face, whose mesh is 478 x (x, y, z). */
export interface HandFinder {
  /**
   * @param known hands that are known already; the result begins with them
   * @param isWorthLooking leaves places out; each saves a run of the network
   */
  find(
    pyramid: ImagePyramid,
    landmarks: Float32Array,
    known?: readonly Hand[],
    isWorthLooking?: (place: HandPlace) => boolean,
  ): Promise<Hand[]>;
  /** Finds hands a moment later. Leaves out those that are gone. */
  follow(pyramid: ImagePyramid, hands: readonly Hand[]): Promise<Hand[]>;
}

/** Mean distance of the joints of two hands below which both are one hand, in palms. */
const SAME_HAND_PALMS = 0.3;

export function isSameHand(a: Hand, b: Hand): boolean {
  let distance = 0;
  for (let k = 0; k < a.landmarks.length; k += 2)
    distance += Math.hypot(a.landmarks[k]! - b.landmarks[k]!, a.landmarks[k + 1]! - b.landmarks[k + 1]!);
  return distance / HAND_LANDMARK_COUNT < SAME_HAND_PALMS * palmLength(a);
}

/** Indices of the landmarks that are used for measurements. */
export const HAND_JOINTS = {
  wrist: 0,
  indexBase: 5,
  middleBase: 9,
  ringBase: 13,
  littleBase: 17,
} as const;

/**
 * Length of a palm seen straight on, as a multiple of the distance between the bases of index and
 * little finger.
 */
const PALM_LENGTH_PER_WIDTH = 1.4;

/**
 * Measures the length of a palm: from the wrist to the base of the middle finger, or from its width
 * if that is longer.
 */
export function palmLength({ landmarks }: Pick<Hand, 'landmarks'>): number {
  const { wrist, middleBase, indexBase, littleBase } = HAND_JOINTS;
  const length = distance(landmarks, wrist, middleBase);
  return Math.max(length, PALM_LENGTH_PER_WIDTH * distance(landmarks, indexBase, littleBase));
}

/** Moves a hand, then scales it. */
export function movedHand({ landmarks, presence }: Hand, dx: number, dy: number, scale: number): Hand {
  return { landmarks: landmarks.map((value, k) => (value + (k % 2 === 0 ? dx : dy)) * scale), presence };
}

function distance(points: Float32Array, a: number, b: number): number {
  return Math.hypot(points[2 * a]! - points[2 * b]!, points[2 * a + 1]! - points[2 * b + 1]!);
}
