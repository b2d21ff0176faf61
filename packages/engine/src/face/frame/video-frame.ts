import type { FramePlanes } from '@guise/kernels/frame-planes.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { FaceBox } from '../geometry/face.ts';

/**
 * One picture of a clip as the engine sees it. A `MediaFrame` is one; the engine itself knows no
 * files and no codecs.
 */
export interface VideoFrame {
  /** Time since the first picture of the clip, which never falls. */
  readonly timeSeconds: number;
  readonly width: number;
  readonly height: number;
  /** Returns the 8-bit luma, with rows `stride` bytes apart. */
  luma(): {
    readonly data: Uint8Array;
    readonly stride: number;
    readonly width: number;
    readonly height: number;
  };
  /** Returns the part of `rect` inside the frame, on whole pixels. */
  rgb(rect: FaceBox): RgbImage;
  /** Lets `edit` change the part of `rect` inside the frame where it is stored. */
  edit(rect: FaceBox, edit: (planes: FramePlanes) => void): void;
  /**
   * Returns the part of `rect` inside the frame, reduced by a whole `factor`. If the frame can, it
   * takes the memory from `make`.
   */
  reducedRegion(rect: FaceBox, factor: number, make?: PlaneMaker): RgbImage;
  /** Returns the whole frame, `factor` times smaller. */
  reducedRgb(maxSide: number): { readonly image: RgbImage; readonly factor: number };
}

/**
 * Returns the whole pixels of `rect` inside a `width` x `height` frame, as `VideoFrame.rgb` takes
 * them.
 */
export function wholePixels(rect: FaceBox, width: number, height: number): FaceBox {
  const x = Math.min(width, Math.max(0, Math.floor(rect.x)));
  const y = Math.min(height, Math.max(0, Math.floor(rect.y)));
  const right = Math.min(width, Math.max(x, Math.ceil(rect.x + rect.width)));
  const bottom = Math.min(height, Math.max(y, Math.ceil(rect.y + rect.height)));
  return { x, y, width: right - x, height: bottom - y };
}

/** Returns the even coordinate at or before `value`, because chroma may be halved. */
export function evenBelow(value: number): number {
  return 2 * Math.floor(value / 2);
}
