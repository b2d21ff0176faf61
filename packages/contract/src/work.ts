// Types that describe work, for the server, which requests work, and the engine process, which does
// it.

import type { StillFormat } from './formats.ts';

/** Strengths of restoration, 0 to 1 each; 0 means off (docs/spec/details#restore-range). */
export interface RestoreOptions {
  readonly faceRestoreVisibility: number;
  readonly restoreVisibility: number;
}

/** When guise puts its visible label on results: if a request says so, or on all. */
export const LABEL_MODES = ['on-request', 'always'] as const;
export type LabelMode = (typeof LABEL_MODES)[number];

/** The mark that anyone can see on a result. */
export interface LabelOption {
  /** Whether the visible label is put on. Default: no. */
  readonly label?: boolean;
}

/** Format and size of an output picture (docs/spec/details#output-type). */
export interface StillOutput {
  /** Default: the target's format if that is JPEG or WebP, otherwise PNG. */
  readonly format?: StillFormat;
  /** Pixels. A larger target is scaled down before the swap. A smaller one is not enlarged. */
  readonly maxLongSide?: number;
}

/** Options of a photo swap, from the client's request to the engine. */
export interface StillOptions extends LabelOption {
  readonly restore: RestoreOptions;
  /**
   * Number of the target's face to replace, counted from left to right from 0. Default: the largest
   * face.
   */
  readonly faceIndex?: number;
  readonly output?: StillOutput;
}

/** Options of a clip swap, from the client's request to the engine. */
export interface ClipOptions extends LabelOption {
  readonly restore: RestoreOptions;
  /** Largest size of the output. A clip is never enlarged. */
  readonly size?: VideoSize;
  /** Part of the clip to swap. Default: the whole clip. */
  readonly part?: ClipPart;
}

/**
 * Longest sides of an output video, in pixels. A larger video is scaled down. A smaller one is not
 * enlarged.
 */
export interface VideoSize {
  readonly maxShortSide?: number;
  readonly maxLongSide?: number;
}

/** Part of a clip, in seconds from the first frame. */
export interface ClipPart {
  readonly startSeconds: number;
  /** End of the part. A frame that starts at this time is not included. */
  readonly endSeconds: number;
}

/** Box around a face: its top left corner and its size. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Box around a face, as a client sends it (docs/spec/details#facebox). */
export interface MappedBox extends Box {
  /** Name of the form field, for messages. */
  readonly name: string;
  /** If given, the box must match the face with this index. */
  readonly faceIndex?: number;
}

/**
 * The face that a client refers to: a person by the number from `detect-faces`, or the face in a
 * box at a certain time.
 */
export type PersonFace =
  | { readonly personIndex: number }
  | {
      readonly seconds: number;
      /** Fractions of the upright picture's width and height. */
      readonly box: Box;
    };

/** Traits of a face that can make a swap worse. `warnings.ts` warns about them. */
export const FACE_TRAITS = [
  'covered',
  'dark-glasses',
  'half-shut-eyes',
  'black-and-white',
  'blurred',
] as const;
export type FaceTrait = (typeof FACE_TRAITS)[number];

/**
 * A face in the form of `detect-faces`. Lengths are in pixels of the upright image, angles in
 * degrees.
 */
export interface DetectedFace extends Box {
  readonly faceIndex: number;
  readonly score: number;
  readonly yaw: number;
  readonly pitch: number;
  readonly roll: number;
  /**
   * Traits of the face. Absent if they were not determined, because the face is one of many small
   * faces.
   */
  readonly traits?: readonly FaceTrait[];
}

/** The two faces of a swap. `target` is absent for a video, which has many target faces. */
export interface SwappedFaces {
  readonly source: DetectedFace;
  readonly target?: DetectedFace;
}

/** Progress of a video. */
export interface FrameProgress {
  /** Frames written to the output so far. Never decreases. */
  readonly done: number;
  /** Frames in the whole video; the number in its header until the whole video has been read. */
  readonly total: number;
}
