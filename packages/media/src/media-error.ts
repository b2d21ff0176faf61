/**
 * Why a media file cannot be used.
 * - `UNSUPPORTED`: not a kind of file that is accepted; `UNREADABLE`: its header is damaged or
 *   missing;
 *   `TOO_MANY_PIXELS`: beyond the pixel limit, which `limit` holds. These are found before decoding.
 * - `NO_VIDEO`: a media file without a picture track.
 * - `TOO_LONG` (limit in seconds), `TOO_MANY_FRAMES` (limit in frames, or frames per second): video
 *   and GIF.
 * - `DAMAGED`: the header is fine and the pixels are not; `TIMEOUT`: decoding took too long;
 *   `RESOURCE_LIMIT`: it took more memory or disk than it may.
 */
export type MediaErrorCode =
  | 'UNSUPPORTED'
  | 'UNREADABLE'
  | 'TOO_MANY_PIXELS'
  | 'NO_VIDEO'
  | 'TOO_LONG'
  | 'TOO_MANY_FRAMES'
  | 'DAMAGED'
  | 'TIMEOUT'
  | 'RESOURCE_LIMIT';

/** `message` is one plain public sentence; what the decoder said is in `cause`. */
export class MediaError extends Error {
  override readonly name = 'MediaError';
  readonly code: MediaErrorCode;
  /**
   * The limit that was passed (pixels, seconds or frames, as the code says); null for every other
   * code.
   */
  readonly limit: number | null;

  constructor(code: MediaErrorCode, message: string, options: { limit?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.limit = options.limit ?? null;
  }
}

/** @param detail what is wrong with the header, in words that may be shown */
export function unreadable(detail: string, cause?: unknown): MediaError {
  return new MediaError('UNREADABLE', `The image cannot be read: ${detail}.`, { cause });
}

export function damaged(format: string, cause?: unknown): MediaError {
  return new MediaError('DAMAGED', `The ${format} image is damaged and cannot be decoded.`, { cause });
}

export function tooManyPixels(limit: number, cause?: unknown): MediaError {
  const message = `The image has more than ${limit / 1_000_000} megapixels.`;
  return new MediaError('TOO_MANY_PIXELS', message, { limit, cause });
}
