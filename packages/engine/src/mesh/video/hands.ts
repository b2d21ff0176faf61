import { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import { boxOfPoints } from '../../face/geometry/box.ts';
import type { FaceBox } from '../../face/geometry/face.ts';
import { MESH_VERTEX_COUNT } from '../../face/geometry/face.ts';
import type { Hand, HandFinder, HandPlace } from '../../face/geometry/hand.ts';
import { movedHand } from '../../face/geometry/hand.ts';
import type { VideoFrame } from '../../face/frame/video-frame.ts';
import { wholePixels } from '../../face/frame/video-frame.ts';

/** Side of a face's surroundings in which its hands are followed, in longer sides of the face. */
const SURROUNDINGS_SIDES = 2.8;
/** Longer side of the face, in pixels, from which the network finds its hands. */
const FACE_PX = 64;
/** Time between two searches for hands that are not followed yet. */
const SEARCH_SECONDS = 0.15;
/** Time between two searches for a second hand where one is: it may hold the face. */
const SECOND_SEARCH_SECONDS = 0.06;
/** Change of a place's share of skin from which it is worth another look. */
const CHANGED_SKIN_SHARE = 0.05;
/** Time after which a place is looked at again although it has not changed. */
const LOOK_AGAIN_SECONDS = 3;
/** Looks that a place gets at once: a hand that comes is blurred, so the first few may fail. */
const MAX_LOOK_BUDGET = 6;
/** Looks that a place gets each second after those: a restless background changes all the time. */
const LOOKS_PER_SECOND = 0.75;

/** When a place was looked at last without a hand being found, and what it showed. */
interface EarlierLook {
  readonly seconds: number;
  readonly skinShare: number;
  /** Whether it had changed: what moves is blurred, so it is looked at once more. */
  readonly wasMoving: boolean;
  /** Looks that were left to the place afterwards. */
  readonly budget: number;
}

/** The hands before a followed face, frame after frame. */
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
   * Follows the hands that are there, and looks for others now and then.
   * @param rect part of the frame that `landmarks` (478 x (x, y, z)) are pixels of
   * @param isFirst nothing carries over
   * @returns hands in pixels of that part
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
   * Tells a place that has changed, is about to come to rest, or waited long, while it has looks
   * left, and remembers it. Where a hand is, those before the jaw always are.
   */
  #isWorthLooking({ index, isForSecond, skinShare }: HandPlace): boolean {
    if (isForSecond) return true;
    const earlier = this.#looks.get(index);
    const budget = earlier ? this.#budgetAfter(earlier) : MAX_LOOK_BUDGET;
    if (budget < 1) return false;
    const hasChanged = !earlier || Math.abs(skinShare - earlier.skinShare) >= CHANGED_SKIN_SHARE;
    const isWorth = hasChanged || earlier.wasMoving || this.#seconds >= earlier.seconds + LOOK_AGAIN_SECONDS;
    if (!isWorth) return false;
    // A hand on its way is looked for in the next frame again.
    if (hasChanged) this.#searchedSeconds = -Infinity;
    this.#looks.set(index, { seconds: this.#seconds, skinShare, wasMoving: hasChanged, budget: budget - 1 });
    return true;
  }

  #budgetAfter({ seconds, budget }: EarlierLook): number {
    return Math.min(MAX_LOOK_BUDGET, budget + LOOKS_PER_SECOND * (this.#seconds - seconds));
  }
}
