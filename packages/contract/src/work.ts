// Types that describe work. The server, which orders work, and the engine process, which does it,
// both use them.

import type { StillFormat } from './formats.ts';

/** Strengths of restoration, 0..1 each; 0 is off (docs/spec/details#restore-range). */
export interface RestoreOptions {
  readonly faceRestoreVisibility: number;
  readonly restoreVisibility: number;
}

/**
 * Format and size of an output picture. The default format is that of
 * docs/spec/details#output-type.
 */
export interface StillOutput {
  /** Default: the format of the target if it is JPEG or WebP, else PNG. */
  readonly format?: StillFormat;
  /** Pixels. A larger target is scaled down before the swap; a smaller one is not enlarged. */
  readonly maxLongSide?: number;
}

/** Options of a photo's swap, from the client's order through to the engine. */
export interface StillOptions {
  readonly restore: RestoreOptions;
  /**
   * Number of the target's face to replace, counted from left to right from 0. Default: the largest
   * face.
   */
  readonly faceIndex?: number;
  readonly output?: StillOutput;
}

/** Options of a clip's swap, from the client's order through to the engine. */
export interface ClipOptions {
  readonly restore: RestoreOptions;
  /** Largest size of the output; a clip is never enlarged. */
  readonly size?: VideoSize;
  /** Part of the clip to swap. Default: all of it. */
  readonly part?: ClipPart;
}

/**
 * Largest sides of an output video, in pixels. A larger video is scaled down; a smaller one is not
 * enlarged.
 */
export interface VideoSize {
  readonly maxShortSide?: number;
  readonly maxLongSide?: number;
}

/** Part of a clip, in seconds from the clip's first picture. */
export interface ClipPart {
  readonly startSeconds: number;
  /** End of the part. A picture that begins at this moment is not included. */
  readonly endSeconds: number;
}

/** Box around a face, as a client sends it (docs/spec/details#facebox). */
export interface MappedBox {
  /** Name of the form field, for messages. */
  readonly name: string;
  /** If given, the box must match the face with this index. */
  readonly faceIndex?: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * The face that a client means: a person by the number that `detect-faces` gave, or the face inside
 * a box at a moment.
 */
export type PersonFace =
  | { readonly personIndex: number }
  | {
      readonly seconds: number;
      /** Fractions of the upright picture's width and height. */
      readonly box: {
        readonly x: number;
        readonly y: number;
        readonly width: number;
        readonly height: number;
      };
    };

/** Traits of a photographed face that can make a swap worse. `warnings.ts` warns about them. */
export const FACE_TRAITS = [
  'covered',
  'dark-glasses',
  'half-shut-eyes',
  'full-beard',
  'black-and-white',
  'blurred',
] as const;
export type FaceTrait = (typeof FACE_TRAITS)[number];

/**
 * One face as `detect-faces` reports it. Lengths are in pixels of the upright image, angles in
 * degrees.
 */
export interface DetectedFace {
  readonly faceIndex: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly score: number;
  readonly yaw: number;
  readonly pitch: number;
  readonly roll: number;
  /** Traits of the face. Absent if it was not reviewed because it is one of many small faces. */
  readonly traits?: readonly FaceTrait[];
}

/** The two faces of a swap. `target` is absent for a video, which shows many target faces. */
export interface SwappedFaces {
  readonly source: DetectedFace;
  readonly target?: DetectedFace;
}

/** Progress of a video. */
export interface FrameProgress {
  /** Frames written to the output so far. The number never decreases. */
  readonly done: number;
  /** Frames of the whole video. Until all of it has been read, this is the number in its header. */
  readonly total: number;
}
