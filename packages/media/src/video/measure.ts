import { MediaError } from '../media-error.ts';
import { NO_VIDEO_BACKEND } from './backend.ts';
import type { VideoLimits } from './video-types.ts';

/** @throws MediaError TOO_MANY_FRAMES; shared with the other readers, so that all count alike */
export function framesPerSecond(frames: number, seconds: number, limits: VideoLimits): number {
  const rate = seconds > 0 ? frames / seconds : 0;
  // Half a frame of slack: the last picture's duration is a guess in many files.
  if (frames > 1 && rate > limits.maxFramesPerSecond + 0.5) {
    throw new MediaError(
      'TOO_MANY_FRAMES',
      `The video has more than ${limits.maxFramesPerSecond} frames per second.`,
      {
        limit: limits.maxFramesPerSecond,
      },
    );
  }
  return Math.round(rate * 1000) / 1000;
}

export function tooLong(maxSeconds: number): MediaError {
  return new MediaError('TOO_LONG', `The video is longer than ${maxSeconds} seconds.`, { limit: maxSeconds });
}

/**
 * Sums of container ticks are exact; as a float they would round 10 s up to 11 when the price is
 * worked out.
 */
export function toMicroseconds(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}

/**
 * A picture track within the limit may end a hair after it (rounded ticks), as 300.02 s does at 25
 * frames/s.
 */
export const LENGTH_SLACK_SECONDS = 0.05;

export function tooManyFrames(limit: number): MediaError {
  return new MediaError('TOO_MANY_FRAMES', 'The video has too many frames.', { limit });
}

/** How many pictures a clip within the limits can have. */
export function frameBudget(limits: VideoLimits): number {
  return Math.ceil((limits.maxSeconds + 1) * limits.maxFramesPerSecond) + 1;
}

/** @throws MediaError TOO_MANY_PIXELS */
export function checkSides(width: number, height: number, limits: VideoLimits, what: 'video' | 'GIF'): void {
  const long = Math.max(width, height);
  const short = Math.min(width, height);
  if (width * height > limits.maxPixels || long > limits.maxLongSide || short > limits.maxShortSide) {
    throw new MediaError(
      'TOO_MANY_PIXELS',
      `The ${what} is ${width} x ${height} pixels, more than ${limits.maxPixels} or ${limits.maxLongSide} on a side.`,
      { limit: width * height > limits.maxPixels ? limits.maxPixels : limits.maxLongSide },
    );
  }
}

export function missingBackend(): Error {
  return new Error(NO_VIDEO_BACKEND);
}
