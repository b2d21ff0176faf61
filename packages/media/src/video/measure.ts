import { MediaError } from '../media-error.ts';
import type { VideoLimits } from './video-types.ts';

/**
 * Returns the average rate of a clip. All readers use this function, so that all get the same rate.
 * @throws MediaError TOO_MANY_FRAMES
 */
export function framesPerSecond(frames: number, seconds: number, limits: VideoLimits): number {
  const rate = seconds > 0 ? frames / seconds : 0;
  // The tolerance of half a frame allows for the last picture's duration, which is a guess in many
  // files.
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
 * Rounds a time to microseconds. Sums of ticks are exact, but as a float 10 s could become slightly
 * longer and be priced as 11.
 */
export function toMicroseconds(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}

/**
 * How far a picture track may exceed the limit because its ticks are rounded. Example: 300.02 s at
 * 25 frames/s.
 */
export const LENGTH_SLACK_SECONDS = 0.05;

export function tooManyFrames(limit: number): MediaError {
  return new MediaError('TOO_MANY_FRAMES', 'The video has too many frames.', { limit });
}

/** Returns the largest number of pictures of a clip within the limits. */
export function frameBudget(limits: VideoLimits): number {
  return Math.ceil((limits.maxSeconds + 1) * limits.maxFramesPerSecond) + 1;
}

/**
 * Checks a frame size against the limits.
 * @throws MediaError TOO_MANY_PIXELS
 */
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
