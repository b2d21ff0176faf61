import type { RgbImage } from '@guise/kernels/image.ts';
import type { VideoFrame } from '../face/video-frame.ts';
import type { AdditionalSource } from './source-photos.ts';

export interface SwapVideoRequest {
  readonly source: RgbImage;
  /** More photos of the source's person. */
  readonly additionalSources?: readonly AdditionalSource[];
  /** For sentences: "target video", "target GIF". */
  readonly targetName: string;
  /** 0..1 each, as for images. */
  readonly faceRestoreVisibility: number;
  readonly restoreVisibility: number;
}

/** What was done to a clip. */
export interface SwapVideoReceipt {
  /** People in the clip. */
  readonly facesFound: number;
  readonly frames: {
    readonly total: number;
    /** With the new face, the bridged ones among them. */
    readonly swapped: number;
    /** Where the face was not seen for a moment and was put between the frames around. */
    readonly bridged: number;
    readonly passedThrough: number;
  };
  /** Longest run of passed-through frames between two swapped ones. */
  readonly longestGapFrames: number;
  /** 1 the same person as the source, 0 a stranger; null where no face was large enough to tell. */
  readonly identitySimilarity: number | null;
  /** Of the source and each additional photo in the texture of the face; together 1. */
  readonly sourceShares: readonly number[];
  readonly timingsMs: Readonly<Record<string, number>>;
}

/**
 * A clip's swap in one pass over its frames. A frame is drawn once those of about half a second
 * after it were looked at, so that nothing lags, trembles or flashes: a filter that knows the
 * future needs no delay, a gap is seen before it begins. Who the clip is about is known for sure
 * only at its end: where it turns out otherwise than it looked, all frames are drawn once more.
 */
export interface VideoSwap {
  /**
   * Every frame, in order; each is to be kept until the one after it was looked at.
   * @throws TaskFailure NO_FACE_DETECTED where a source shows none, FACE_MISMATCH where an
   * additional photo shows somebody else
   */
  look(frame: VideoFrame): Promise<void>;
  /**
   * Whether the next frame can be drawn, `after` frames after it, and those of so many seconds,
   * having been looked at.
   */
  mayDraw(after: number, seconds: number): boolean;
  /** Every frame, in order; the person's face is replaced, all else is left. */
  draw(frame: VideoFrame): Promise<void>;
  /**
   * After the last frame. @returns whether what was drawn is right; if not, every frame is to be
   * drawn again, without a look
   * @throws TaskFailure NO_FACE_DETECTED where no frame shows a face
   */
  finish(): boolean;
  receipt(): SwapVideoReceipt;
  /** To be called at the end, whichever it was: gives memory back, once nothing is under way. */
  close(): Promise<void>;
}

/**
 * What a pass over a clip's frames does with them: each goes to `ahead` first, then, once that has
 * seen enough, to `onFrame`.
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
 * @param pass goes over all its frames, in order; what it returns the second time, where there is
 * one, takes the place of the first
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
