import { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import { boxOfPoints } from '../../face/geometry/box.ts';
import type { FaceBox } from '../../face/geometry/face.ts';
import { MESH_VERTEX_COUNT } from '../../face/geometry/face.ts';
import type { Hand, HandFinder, HandPlace } from '../../face/geometry/hand.ts';
import { movedHand } from '../../face/geometry/hand.ts';
import type { VideoFrame } from '../../face/frame/video-frame.ts';
import { wholePixels } from '../../face/frame/video-frame.ts';

/**
 * Side of the square around a face in which hands are followed, in multiples of the face's longer
 * side.
 */
const SURROUNDINGS_SIDES = 2.8;
/** Longer side of the face, in pixels, at which the network looks for hands. */
const FACE_PX = 64;
/** Time between two searches for hands while none is followed. */
const SEARCH_SECONDS = 0.15;
/**
 * Time between two searches for a second hand near the first. The second hand may touch the face.
 */
const SECOND_SEARCH_SECONDS = 0.06;
/** Change of a place's share of skin from which the place is searched again. */
const CHANGED_SKIN_SHARE = 0.05;
/** Time after which an unchanged place is searched again. */
const LOOK_AGAIN_SECONDS = 3;
/** Largest number of searches in a row. An arriving hand is blurred, so the first few may fail. */
const MAX_LOOK_BUDGET = 6;
/** Number of searches added per second after those. A restless background changes all the time. */
const LOOKS_PER_SECOND = 0.75;

/** The last search of a place that found no hand, and what the place showed. */
interface EarlierLook {
  readonly seconds: number;
  readonly skinShare: number;
  /** Whether the place had changed. Motion blurs a hand, so the place is searched once more. */
  readonly wasMoving: boolean;
  /** Number of searches that the place had left afterwards. */
  readonly budget: number;
}

/** Follows the hands in front of a followed face, frame after frame. */
export class TrackHands {
  readonly #finder: HandFinder;
  #hands: readonly Hand[] = [];
  #seconds = 0;
  #searchedSeconds = -Infinity;
  readonly #looks = new Map<number, EarlierLook>();

  constructor(finder: HandFinder) {
    this.#finder = finder;
  }

  /**
   * Follows the known hands, and searches for others from time to time.
   * @param rect part of the frame in whose pixels `landmarks` (478 x (x, y, z)) are
   * @param isFirst whether to ignore earlier frames @returns hands in pixels of that part
   */
  async follow(
    frame: VideoFrame,
    rect: FaceBox,
    landmarks: Float32Array,
    elapsedSeconds: number,
    isFirst: boolean,
  ): Promise<readonly Hand[]> {
    this.#seconds += elapsedSeconds;
    if (isFirst) {
      this.#hands = [];
      this.#looks.clear();
    }
    const wait = this.#hands.length > 0 ? SECOND_SEARCH_SECONDS : SEARCH_SECONDS;
    const isSearch = isFirst || this.#seconds >= this.#searchedSeconds + wait;
    if (!isSearch && this.#hands.length === 0) return this.#hands;

    using space = new Workspace();
    const { left, top, right, bottom } = boxOfPoints(landmarks, MESH_VERTEX_COUNT);
    const size = Math.max(right - left, bottom - top);
    const reach = (SURROUNDINGS_SIDES * size) / 2;
    const x = rect.x + (left + right) / 2;
    const y = rect.y + (top + bottom) / 2;
    const factor = Math.max(1, Math.floor(size / FACE_PX));
    const around = wholePixels(
      { x: x - reach, y: y - reach, width: 2 * reach, height: 2 * reach },
      frame.width,
      frame.height,
    );
    const pyramid = new ImagePyramid(frame.reducedRegion(around, factor, space), space);
    const dx = rect.x - around.x;
    const dy = rect.y - around.y;
    const placed = landmarks.map((value, k) => (value + (k % 3 === 0 ? dx : k % 3 === 1 ? dy : 0)) / factor);
    const known = this.#hands.map((hand) => movedHand(hand, dx, dy, 1 / factor));
    let hands = await this.#finder.follow(pyramid, known);
    if (isSearch || hands.length < known.length) {
      this.#searchedSeconds = this.#seconds;
      hands = await this.#finder.find(pyramid, placed, hands, (place) => this.#isWorthLooking(place));
    }
    this.#hands = hands.map((hand) => movedHand(movedHand(hand, 0, 0, factor), -dx, -dy, 1));
    return this.#hands;
  }

  /**
   * Returns whether to search a place, and records the search. A place with searches left is
   * searched if it has changed, was moving or waited long. The second hand's place in front of the
   * jaw is always searched.
   */
  #isWorthLooking({ index, isForSecond, skinShare }: HandPlace): boolean {
    if (isForSecond) return true;
    const earlier = this.#looks.get(index);
    const budget = earlier ? this.#budgetAfter(earlier) : MAX_LOOK_BUDGET;
    if (budget < 1) return false;
    const hasChanged = !earlier || Math.abs(skinShare - earlier.skinShare) >= CHANGED_SKIN_SHARE;
    const isWorth = hasChanged || earlier.wasMoving || this.#seconds >= earlier.seconds + LOOK_AGAIN_SECONDS;
    if (!isWorth) return false;
    // The next frame searches again, because the hand may be moving.
    if (hasChanged) this.#searchedSeconds = -Infinity;
    this.#looks.set(index, { seconds: this.#seconds, skinShare, wasMoving: hasChanged, budget: budget - 1 });
    return true;
  }

  #budgetAfter({ seconds, budget }: EarlierLook): number {
    return Math.min(MAX_LOOK_BUDGET, budget + LOOKS_PER_SECOND * (this.#seconds - seconds));
  }
}
