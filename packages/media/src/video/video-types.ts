import type { VideoHardware } from '@guise/contract/video-hardware.ts';
import type { ClipFormat, ClipOutputFormat } from '@guise/contract/formats.ts';
import type { FramePlanes } from '@guise/kernels/frame-planes.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import type { Stamp } from '@guise/kernels/stamp.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';

export interface VideoLimits {
  /** Longest picture track, in seconds. */
  maxSeconds: number;
  /** Largest frame, in pixels. */
  maxPixels: number;
  /** Largest long side of a frame, in pixels. */
  maxLongSide: number;
  /** Largest short side of a frame, in pixels. */
  maxShortSide: number;
  /** Highest average rate over the clip. */
  maxFramesPerSecond: number;
  maxSizeBytes: number;
}

/** The wanted part of a clip, in seconds since its first picture. */
export interface ClipPart {
  readonly startSeconds: number;
  /** End of the part. A picture that begins at this moment is outside. */
  readonly endSeconds: number;
}

/** Result of a probe. Sizes are those of the upright picture, after its rotation. */
export interface VideoProbe {
  container: ClipFormat;
  contentType: string;
  /** FFmpeg's name: one of `VIDEO_CODECS`. */
  videoCodec: string;
  width: number;
  height: number;
  /**
   * Time from the first picture's start to the last one's end, according to the packets in the
   * file. Exact to the microsecond.
   */
  durationSeconds: number;
  frameCount: number;
  framesPerSecond: number;
  /** FFmpeg's name for the codec of the first sound track; null if there is none. */
  audioCodec: string | null;
  hdr: 'pq' | 'hlg' | null;
  alpha: boolean;
  bitDepth: number;
  /** Degrees by which the stored picture is turned clockwise to be upright. */
  rotation: 0 | 90 | 180 | 270;
  /** Whether the header promises more than the file holds. */
  truncated: boolean;
}

/**
 * A rectangle in pixels of the upright frame. Its sides may be odd, and it is clipped to the frame.
 */
export interface FrameRect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * View of 8-bit luma, row-major, with rows `stride` bytes apart. Valid only as long as the frame
 * is.
 */
export interface LumaPlane {
  data: Uint8Array;
  stride: number;
  width: number;
  height: number;
}

/**
 * Views of the 8-bit planes as decoded: Y, Cb, Cr and, with alpha, A. Valid only as long as the
 * frame is.
 */
export interface YuvPlanes {
  data: readonly Uint8Array[];
  strides: readonly number[];
  /** Cb and Cr have half the width and height, rounded up. */
  subsampling: '4:2:0';
}

/**
 * One upright picture that is being processed, in sRGB-like 8 bits (HDR is already tone-mapped).
 */
export interface MediaFrame {
  /** Number of the picture, counted from 0. */
  readonly index: number;
  /** Time since the first picture in seconds, exact to the container's ticks. */
  readonly timeSeconds: number;
  readonly width: number;
  readonly height: number;
  /**
   * The stored planes without a copy, or null for a GIF, whose frames are RGB. Only read these
   * planes; write through `commitRgb`.
   */
  readonly planes: YuvPlanes | null;
  luma(): LumaPlane;
  /** Returns a new RGB image of the region. */
  rgb(rect: FrameRect): RgbImage;
  /**
   * Writes an edited region back. Only the difference from what `rgb(rect)` returns is applied, so
   * a pixel that was not edited keeps its decoded value exactly.
   * @throws RangeError if the image is not as large as the clipped region
   */
  commitRgb(rect: FrameRect, image: RgbImage): void;
  /**
   * Lets `edit` change a region where it is stored, without conversion to RGB and back. The region
   * is enlarged to whole chroma samples. Samples that are not written keep their value.
   * @param edit gets views that are valid during the call
   */
  edit(rect: FrameRect, edit: (planes: FramePlanes) => void): void;
  /** Adds a level to the light of each pixel. @param levels as large as the frame, row by row */
  addLevels(levels: Int8Array): void;
  /** Puts a stamp over the frame. Transparent pixels under it become visible. */
  stamp(stamp: Stamp): void;
  /**
   * Returns the region reduced by a whole factor, for looking at only. Pixels at the right and
   * bottom edges that do not fill a reduced pixel are cut off.
   * @param make allocates the picture; a frame of a GIF ignores it
   */
  reducedRegion(rect: FrameRect, factor: number, make?: PlaneMaker): RgbImage;
  /**
   * Returns the whole frame for detection, and the whole factor by which it is reduced so that its
   * long side is at most `maxSide`.
   */
  reducedRgb(maxSide: number): { image: RgbImage; factor: number };
}

export interface ProcessProgress {
  framesDone: number;
  /** Position on the clip's time line. */
  secondsDone: number;
  /** Share of the work, 0 to 1, which never falls. */
  fraction: number;
}

/**
 * Shows each picture, still unedited, some time before `ProcessOptions.onFrame` gets it. The
 * pictures between wait in memory.
 */
export interface LookAhead {
  /** Receives the picture, for looking at only until `ProcessOptions.onFrame` has had it. */
  onFrame: (frame: MediaFrame) => void | Promise<void>;
  /**
   * Returns whether the picture that has waited longest can go on. Called after each picture shown.
   * At the end of the clip, or if memory is full, the picture goes on in any case.
   * @param after number of pictures shown after it
   * @param seconds how much later the last of them is
   */
  isEnough: (after: number, seconds: number) => boolean;
}

export interface ProcessOptions {
  inputPath: string;
  outputPath: string;
  container: ClipOutputFormat;
  /**
   * Largest short side of the output, in pixels. The picture is never enlarged and keeps its
   * aspect.
   */
  maxShortSide?: number;
  /** Largest long side of the output, in pixels. */
  maxLongSide?: number;
  limits?: Partial<VideoLimits>;
  /** Wanted part of the clip. The output begins and ends with it. Default: all of the clip. */
  part?: ClipPart;
  /** Hardware that encodes H.264. Default: x264. */
  hardware?: VideoHardware | undefined;
  ahead?: LookAhead;
  onFrame?: (frame: MediaFrame) => void | Promise<void>;
  onProgress?: (progress: ProcessProgress) => void;
  signal?: AbortSignal;
}

export interface ProcessResult {
  container: ClipOutputFormat;
  contentType: string;
  width: number;
  height: number;
  durationSeconds: number;
  frameCount: number;
  /** Number of pictures that the decoder could only repair or had to drop. */
  damagedFrames: number;
  audio: 'copied' | 'encoded' | 'none';
  sizeBytes: number;
}

/** Limits of both interfaces. v1's "up to 4K" is 4096 x 2304 in either orientation. */
export const DEFAULT_VIDEO_LIMITS: Readonly<VideoLimits> = {
  maxSeconds: 600,
  maxPixels: 4096 * 2304,
  maxLongSide: 4096,
  maxShortSide: 4096,
  maxFramesPerSecond: 240,
  maxSizeBytes: 500 * 1024 * 1024,
};
