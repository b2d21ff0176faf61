/**
 * Why a media file cannot be used. The first three codes are found before decoding.
 * - `UNSUPPORTED`: the file is not of an accepted type.
 * - `UNREADABLE`: the header is damaged or missing.
 * - `TOO_MANY_PIXELS`: the picture has more pixels than allowed; `limit` holds the limit.
 * - `NO_VIDEO`: the file has no picture track.
 * - `TOO_LONG` (limit in seconds), `TOO_MANY_FRAMES` (limit in frames, or frames per second): a
 *   video or GIF over a limit.
 * - `DAMAGED`: the header is intact, but the pixels cannot be decoded.
 * - `TIMEOUT`: decoding took too long.
 * - `RESOURCE_LIMIT`: decoding took more memory or disk space than allowed.
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

/**
 * A media file that cannot be used. `message` is one plain sentence that clients may see. `cause`
 * holds the decoder's own error.
 */
export class MediaError extends Error {
  override readonly name = 'MediaError';
  readonly code: MediaErrorCode;
  /**
   * The limit that was exceeded (pixels, seconds or frames, depending on the code); null for all
   * other codes.
   */
  readonly limit: number | null;

  constructor(code: MediaErrorCode, message: string, options: { limit?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.limit = options.limit ?? null;
  }
}

/**
 * Makes the error for an image whose header is damaged.
 * @param detail what is wrong with the header, in words that users may see
 */
export function unreadable(detail: string, cause?: unknown): MediaError {
  return new MediaError('UNREADABLE', `The image cannot be read: ${detail}.`, { cause });
}

/** Makes the error for an image whose pixels cannot be decoded. */
export function damaged(format: string, cause?: unknown): MediaError {
  return new MediaError('DAMAGED', `The ${format} image is damaged and cannot be decoded.`, { cause });
}

/** Makes the error for an image over the pixel limit. */
export function tooManyPixels(limit: number, cause?: unknown): MediaError {
  const message = `The image has more than ${limit / 1_000_000} megapixels.`;
  return new MediaError('TOO_MANY_PIXELS', message, { limit, cause });
}
