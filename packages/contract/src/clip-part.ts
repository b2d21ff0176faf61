import { invalidField } from './errors.ts';
import type { ClipPart } from './work.ts';

/** Shortest length of a part of a clip, in seconds. */
export const MIN_PART_SECONDS = 0.5;
/** Seconds by which a part may start or end outside the clip, because times are rounded. */
const PART_TOLERANCE_SECONDS = 0.05;

/** Names of fields in messages. */
export interface PartNames {
  readonly start: string;
  readonly end: string;
  readonly clip: string;
}

/** Part that a client requests, in seconds. A missing start or end means that of the clip. */
export interface WantedPart {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/**
 * Checks the requested part of a clip.
 * @param lengthSeconds length of the whole clip
 * @returns undefined if the whole clip is requested
 * @throws AppError INVALID_REQUEST naming the field
 */
export function partOfClip(
  { start, end }: WantedPart,
  lengthSeconds: number,
  names: PartNames,
): ClipPart | undefined {
  if (start === undefined && end === undefined) return undefined;
  const startSeconds = start ?? 0;
  if (!(startSeconds >= 0)) throw invalidField(names.start, 'must be a number of 0 or more.');
  if (end !== undefined && !(end <= lengthSeconds + PART_TOLERANCE_SECONDS)) {
    const most = `${names.clip} is ${lengthSeconds} seconds long`;
    throw invalidField(names.end, `must not be after the end of the clip: ${most}.`);
  }
  const endSeconds = Math.min(end ?? lengthSeconds, lengthSeconds);
  const isTooShort = toMicroseconds(endSeconds - startSeconds) < MIN_PART_SECONDS;
  if (isTooShort && end === undefined) {
    const before = `${MIN_PART_SECONDS} seconds before the end of ${names.clip}`;
    const length = `which is ${lengthSeconds} seconds long`;
    throw invalidField(names.start, `must lie at least ${before}, ${length}.`);
  }
  if (isTooShort) {
    const after = start === undefined ? '0' : names.start;
    throw invalidField(names.end, `must be at least ${MIN_PART_SECONDS} seconds after ${after}.`);
  }
  return startSeconds === 0 && endSeconds === lengthSeconds ? undefined : { startSeconds, endSeconds };
}

/** Returns the length of a part or of the whole clip in seconds, exact to the microsecond. */
export function secondsOfPart(part: ClipPart | undefined, lengthSeconds: number): number {
  return part === undefined ? lengthSeconds : toMicroseconds(part.endSeconds - part.startSeconds);
}

/**
 * Returns the number of frames in a part or in the whole clip. For a part with an uneven frame
 * rate, the number is an estimate.
 */
export function framesOfPart(
  part: ClipPart | undefined,
  { frameCount, durationSeconds }: { readonly frameCount: number; readonly durationSeconds: number },
): number {
  if (part === undefined) return Math.max(1, frameCount);
  const seconds = secondsOfPart(part, durationSeconds);
  return Math.max(1, Math.round((frameCount * seconds) / Math.max(seconds, durationSeconds)));
}

/**
 * Rounds to microseconds. Otherwise 9.3 - 2.3, which is slightly above 7 in floating point, would
 * be priced as 8 seconds.
 */
function toMicroseconds(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}
