import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import type { VideoFrame } from '../face/frame/video-frame.ts';
import { evenBelow, wholePixels } from '../face/frame/video-frame.ts';
import type { Box } from '../face/geometry/box.ts';
import type { FaceBox } from '../face/geometry/face.ts';
import type { HandFinder } from '../face/geometry/hand.ts';
import type { MeshSwapper } from '../mesh/swapper.ts';
import type { TrackMoment } from '../mesh/video/track-swapper.ts';

/** Number of frames from one look for things in front of the face to the next. */
const LOOK_FRAMES = 3;

/**
 * Things in front of one person's face in a clip. They are looked for in every third frame, and
 * move with the face between.
 */
export class ClipOccluders {
  readonly #swapper: MeshSwapper;
  readonly #hands: HandFinder;
  #frame: VideoFrame | null = null;
  /** See `MeshSwapper.occluders`. */
  #found: Float32Array | null = null;
  /** Number of frames since the last look. */
  #sinceLook = 0;

  constructor(swapper: MeshSwapper, hands: HandFinder) {
    this.#swapper = swapper;
    this.#hands = hands;
  }

  /** Returns what lies in front of the face in a frame. @param pyramid of a part of the frame */
  async in(
    frame: VideoFrame,
    pyramid: ImagePyramid,
    landmarks: Float32Array,
    { isFresh, isStudied = false }: TrackMoment,
  ): Promise<Float32Array> {
    if (frame === this.#frame) return this.#found!;
    this.#frame = frame;
    const before = isFresh ? null : this.#found;
    this.#sinceLook += 1;
    if (before && !isStudied && this.#sinceLook < LOOK_FRAMES) return before;
    this.#sinceLook = 0;
    const front = await this.#swapper.lookInFront(pyramid, landmarks);
    const hands = await this.#hands.find(pyramid, landmarks);
    this.#found = this.#swapper.occluders({ pyramid, landmarks, front, hands }, before);
    return this.#found;
  }

  /** Forgets what was found. */
  clear(): void {
    this.#frame = null;
    this.#found = null;
  }
}

/** Returns the part of a frame that shows a face and all that a network sees of it. */
export function partOfFrame(frame: VideoFrame, rect: FaceBox, seen: Box): FaceBox {
  const x = evenBelow(Math.min(rect.x, seen.left));
  const y = evenBelow(Math.min(rect.y, seen.top));
  const right = Math.max(rect.x + rect.width, seen.right);
  const bottom = Math.max(rect.y + rect.height, seen.bottom);
  return wholePixels({ x, y, width: right - x, height: bottom - y }, frame.width, frame.height);
}
