// What work is made of, for the server that orders it and the engine process that does it.

import type { StillFormat } from './formats.ts';

/** Strengths of restoration, 0..1 each; 0 is off (docs/decisions/0009#restore-range). */
export interface RestoreOptions {
  readonly faceRestoreVisibility: number;
  readonly restoreVisibility: number;
}

/** Format and size of a written picture; without them as in docs/decisions/0009#output-type. */
export interface StillOutput {
  /** Default: the target's if it is JPEG or WebP, else PNG. */
  readonly format?: StillFormat;
  /** Pixels; a larger target is reduced before the swap, none is enlarged. */
  readonly maxLongSide?: number;
}

/** What can be chosen of a photo's swap. It goes from the order to the engine whole. */
export interface StillOptions {
  readonly restore: RestoreOptions;
  /** Face of the target, left to right from 0. Default: the largest. */
  readonly faceIndex?: number;
  readonly output?: StillOutput;
}

/** What can be chosen of a clip's swap. It goes from the order to the engine whole. */
export interface ClipOptions {
  readonly restore: RestoreOptions;
  /** Size of the output; a clip is never enlarged. */
  readonly size?: VideoSize;
  /** Part of the clip that is wanted. Default: all of it. */
  readonly part?: ClipPart;
}

/** The most that a video's sides may have; a larger one is reduced, none is enlarged. */
export interface VideoSize {
  readonly maxShortSide?: number;
  readonly maxLongSide?: number;
}

/** The part of a clip that is wanted, in seconds since its first picture. */
export interface ClipPart {
  readonly startSeconds: number;
  /** Where it ends; the picture that begins here is not in it. */
  readonly endSeconds: number;
}

/** Place of a face as a client gives it (docs/decisions/0009#facebox). */
export interface MappedBox {
  /** Name in messages: the form field. */
  readonly name: string;
  /** Index of the very face that it must be. */
  readonly faceIndex?: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Whose face is meant: a person as `detect-faces` numbers them, or the face at a moment. */
export type PersonFace =
  | { readonly personIndex: number }
  | {
      readonly seconds: number;
      /** Shares of the upright picture's width and height. */
      readonly box: {
        readonly x: number;
        readonly y: number;
        readonly width: number;
        readonly height: number;
      };
    };

/** What a swap has to reckon with in a photo of a face; `warnings.ts` says what to do about it. */
export const FACE_TRAITS = [
  'covered',
  'dark-glasses',
  'half-shut-eyes',
  'full-beard',
  'black-and-white',
  'blurred',
] as const;
export type FaceTrait = (typeof FACE_TRAITS)[number];

/** One face of `detect-faces`; pixels of the upright image, degrees. */
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
  /** Absent: the face was not reviewed, as one of many small ones. */
  readonly traits?: readonly FaceTrait[];
}

/** The two faces of a swap; the target of a video, which has many, is left out. */
export interface SwappedFaces {
  readonly source: DetectedFace;
  readonly target?: DetectedFace;
}

/** Progress of a video. */
export interface FrameProgress {
  /** Written to the output; never decreasing. */
  readonly done: number;
  /** Frames of the whole video, by its header until all of it was looked at. */
  readonly total: number;
}
