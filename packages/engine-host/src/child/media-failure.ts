import { TaskFailure } from '@guise/contract/errors.ts';
import { MediaError } from '@guise/media/media-error.ts';

/**
 * Translates the error of a file that cannot be used into the failure that clients see.
 * @param what name of the file in error messages, such as "source image" or "target video"
 */
function mediaFailure(what: string, error: MediaError): TaskFailure {
  switch (error.code) {
    case 'TOO_MANY_PIXELS': {
      if (error.limit === null) return new TaskFailure('RESOURCE_LIMIT', error.message, error);
      const megapixels = error.limit / 1_000_000;
      return new TaskFailure('RESOURCE_LIMIT', `The ${what} has more than ${megapixels} megapixels.`, error);
    }
    case 'TIMEOUT':
      return new TaskFailure('RESOURCE_LIMIT', `The ${what} took too long to decode.`, error);
    case 'TOO_LONG':
    case 'TOO_MANY_FRAMES':
    case 'RESOURCE_LIMIT':
      // The messages of these errors name the limit.
      return new TaskFailure('RESOURCE_LIMIT', error.message, error);
    case 'NO_VIDEO':
      return new TaskFailure('DECODE_FAILED', `The ${what} has no pictures.`, error);
    case 'UNSUPPORTED':
      return new TaskFailure('DECODE_FAILED', `The ${what} is not of an accepted type.`, error);
    case 'UNREADABLE':
    case 'DAMAGED':
      return new TaskFailure('DECODE_FAILED', `The ${what} is damaged and could not be decoded.`, error);
  }
}

/**
 * Runs `read`, and translates a `MediaError` about the file that it reads into a `TaskFailure`.
 * @param what name of the file in error messages
 * @throws TaskFailure if the file cannot be used
 */
export async function readable<T>(what: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof MediaError ? mediaFailure(what, error) : error;
  }
}
