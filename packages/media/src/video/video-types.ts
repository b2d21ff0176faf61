import type { FramePlanes } from '@guise/kernels/frame-planes.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';

export type VideoContainer = 'mp4' | 'mov' | 'webm' | 'gif';

export interface VideoLimits {
  /** Longest picture track, in seconds. */
  maxSeconds: number;
  /** Largest frame, in pixels, and its longest and shortest allowed maximum side. */
  maxPixels: number;
  maxLongSide: number;
  maxShortSide: number;
  /** On average over the clip. */
  maxFramesPerSecond: number;
  maxSizeBytes: number;
}

/** What a probe found. Sizes are those of the upright picture (rotation metadata applied). */
export interface VideoProbe {
  container: VideoContainer;
  contentType: string;
  /** FFmpeg's name: h264, hevc, vp8, vp9, av1, mpeg4, gif. */
  videoCodec: string;
  width: number;
  height: number;
  /**
   * From the first picture's start to the last one's end, by the packets that are really in the
   * file; to the microsecond.
   */
  durationSeconds: number;
  frameCount: number;
  framesPerSecond: number;
  /** Of the first sound track; null without sound. */
  audioCodec: string | null;
  hdr: 'pq' | 'hlg' | null;
  alpha: boolean;
  bitDepth: number;
  /** Clockwise degrees by which the stored picture is turned to be upright. */
  rotation: 0 | 90 | 180 | 270;
  /** The header promises more than the file holds. */
  truncated: boolean;
}

/** In pixels of the upright frame; need not be even, is clipped to the frame. */
export interface FrameRect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** 8-bit luma, row-major, rows `stride` bytes apart. A view: valid only as long as the frame. */
export interface LumaPlane {
  data: Uint8Array;
  stride: number;
  width: number;
  height: number;
}

/**
 * 8-bit planes as decoded: Y, Cb, Cr and, with alpha, A. Views: valid only as long as the frame.
 */
export interface YuvPlanes {
  data: readonly Uint8Array[];
  strides: readonly number[];
  /** Cb and Cr have half the width and height, rounded up. */
  subsampling: '4:2:0';
}

/** One upright picture on its way through; sRGB-like 8-bit (HDR is already tone-mapped). */
export interface MediaFrame {
  /** 0, 1, 2... over the pictures handed out. */
  readonly index: number;
  /** From the first picture, in seconds; exact to the container's ticks. */
  readonly timeSeconds: number;
  readonly width: number;
  readonly height: number;
  /**
   * The stored planes without a copy; null for GIF, whose frames are RGB. Reading only: write
   * through `commitRgb`.
   */
  readonly planes: YuvPlanes | null;
  luma(): LumaPlane;
  /** A new RGB image of the region. */
  rgb(rect: FrameRect): RgbImage;
  /**
   * Writes an edited region back. Only the change against what `rgb(rect)` gives is applied, so a
   * pixel that was not edited keeps exactly its decoded value, inside the region too.
   * @throws RangeError when the image is not as large as the clipped region
   */
  commitRgb(rect: FrameRect, image: RgbImage): void;
  /**
   * Lets `edit` change a region where it is stored, without a way through RGB and back. The views
   * die with the call; a sample that is not written keeps its value. The region is grown to whole
   * chroma samples.
   */
  edit(rect: FrameRect, edit: (planes: FramePlanes) => void): void;
  /**
   * The region reduced by a whole factor, for looking at only; what is left over at its right and
   * bottom edges is not shown.
   * @param make of the picture's memory; a frame of a GIF takes its own
   */
  reducedRegion(rect: FrameRect, factor: number, make?: PlaneMaker): RgbImage;
  /**
   * The whole frame reduced by a whole factor (returned) so that its long side is at most
   * `maxSide`; for detection.
   */
  reducedRgb(maxSide: number): { image: RgbImage; factor: number };
}

export interface ProcessProgress {
  framesDone: number;
  /** Of the clip's time line. */
  secondsDone: number;
  /** 0 to 1, never falls. */
  fraction: number;
}

/**
 * Shows each picture some time before `ProcessOptions.onFrame` gets it, still unedited; the
 * pictures between wait in memory.
 */
export interface LookAhead {
  /** The frame is for looking at only, until `onFrame` has had it. */
  onFrame: (frame: MediaFrame) => void | Promise<void>;
  /**
   * Whether the picture that waits longest can go on. Asked whenever another one was shown; at the
   * end of the clip, and where memory has no room for more, it goes on in any case.
   * @param after pictures shown after it @param seconds how much later the last of them is
   */
  isEnough: (after: number, seconds: number) => boolean;
}

export interface ProcessOptions {
  inputPath: string;
  outputPath: string;
  container: VideoContainer;
  /** Never enlarges; the aspect is kept. */
  maxShortSide?: number;
  maxLongSide?: number;
  limits?: Partial<VideoLimits>;
  ahead?: LookAhead;
  onFrame?: (frame: MediaFrame) => void | Promise<void>;
  onProgress?: (progress: ProcessProgress) => void;
  signal?: AbortSignal;
}

export interface ProcessResult {
  container: VideoContainer;
  contentType: string;
  width: number;
  height: number;
  durationSeconds: number;
  frameCount: number;
  /** Pictures the decoder could only patch up or had to leave out. */
  damagedFrames: number;
  audio: 'copied' | 'encoded' | 'none';
  sizeBytes: number;
  backend: 'node-av' | 'ffmpeg' | 'gif';
}

export const CONTENT_TYPES: Readonly<Record<VideoContainer, string>> = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  gif: 'image/gif',
};

/**
 * 4096 x 2304 either way up is v1's "up to 4K"; 240 frames/s and 300 s are decisions of both
 * interfaces.
 */
export const DEFAULT_VIDEO_LIMITS: Readonly<VideoLimits> = {
  maxSeconds: 600,
  maxPixels: 4096 * 2304,
  maxLongSide: 4096,
  maxShortSide: 4096,
  maxFramesPerSecond: 240,
  maxSizeBytes: 500 * 1024 * 1024,
};
