import type { RestoreOptions } from '@guise/contract/work.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import type { VideoFrame } from '../face/frame/video-frame.ts';
import type { ReviewedFace } from './review-face.ts';
import type { AdditionalSource } from './source-photos.ts';

export interface SwapVideoRequest {
  readonly source: RgbImage;
  /** Further photos of the source's person. */
  readonly additionalSources?: readonly AdditionalSource[];
  /** Name of the target in error messages: "target video" or "target GIF". */
  readonly targetName: string;
  /**
   * Called once if the clip's first frames show no face. Returns whether the whole clip shows none.
   * By default all frames are looked at.
   */
  readonly isFaceless?: () => Promise<boolean>;
  readonly restore: RestoreOptions;
}

/** Report about a swapped clip. */
export interface SwapVideoReceipt {
  /** Number of people in the clip. */
  readonly facesFound: number;
  readonly frames: {
    readonly total: number;
    /** Number of frames with the new face, bridged ones included. */
    readonly swapped: number;
    /**
     * Number of frames in which the face was not detected, but interpolated from the frames around.
     */
    readonly bridged: number;
    readonly passedThrough: number;
  };
  /** Longest run of passed-through frames between two swapped ones. */
  readonly longestGapFrames: number;
  /** Similarity to the source (1: same person, 0: another), or null if all faces were too small. */
  readonly identitySimilarity: number | null;
  /** Share of the source and of each additional photo in the face's texture. Their sum is 1. */
  readonly sourceShares: readonly number[];
  /** Face of the first photo of the source. */
  readonly source: ReviewedFace;
  readonly timingsMs: Readonly<Record<string, number>>;
}

/**
 * A clip's swap in one pass over its frames.
 *
 * A frame is drawn when about half a second of frames after it has been analysed. Filters that know
 * later frames need no delay, and a gap is known before it begins. Only at the end is it certain
 * whom the clip is about. If the guess was wrong, all frames are drawn once more.
 */
export interface VideoSwap {
  /**
   * Analyses the next frame. The caller keeps each frame until the frame after it has been
   * analysed.
   * @throws TaskFailure NO_FACE_DETECTED if a source shows no face, FACE_MISMATCH if an additional
   * photo shows another person
   */
  look(frame: VideoFrame): Promise<void>;
  /**
   * Returns whether the next frame can be drawn.
   * @param after number of frames after it that were analysed
   * @param seconds duration of those frames
   */
  mayDraw(after: number, seconds: number): boolean;
  /** Draws the next frame: replaces the person's face and keeps everything else. */
  draw(frame: VideoFrame): Promise<void>;
  /**
   * Ends the pass after the last frame.
   * @returns whether the drawn frames are right; if not, draw all of them again without `look`
   * @throws TaskFailure NO_FACE_DETECTED if no frame shows a face
   */
  finish(): boolean;
  receipt(): SwapVideoReceipt;
  /** Releases memory when nothing is running. Call it after success and after failure. */
  close(): Promise<void>;
}

/**
 * Callbacks of a pass over a clip's frames. Each frame is passed first to `ahead`, and to `onFrame`
 * when `ahead` has seen enough frames after it.
 */
export interface FrameHooks {
  readonly ahead?: {
    readonly onFrame: (frame: VideoFrame) => Promise<void>;
    readonly isEnough: (after: number, seconds: number) => boolean;
  };
  readonly onFrame: (frame: VideoFrame) => Promise<void>;
}

/**
 * Swaps a clip.
 * @param pass goes over all frames in order; if there is a second result, it replaces the first
 * @throws what `pass` throws; TaskFailure NO_FACE_DETECTED
 */
export async function swapFrames<T>(
  swap: VideoSwap,
  pass: (hooks: FrameHooks, isAgain: boolean) => Promise<T>,
): Promise<T> {
  const onFrame = (frame: VideoFrame): Promise<void> => swap.draw(frame);
  const ahead = {
    onFrame: (frame: VideoFrame) => swap.look(frame),
    isEnough: (after: number, seconds: number) => swap.mayDraw(after, seconds),
  };
  const made = await pass({ ahead, onFrame }, false);
  return swap.finish() ? made : pass({ onFrame }, true);
}
