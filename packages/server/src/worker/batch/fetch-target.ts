import { TaskFailure } from '@guise/contract/errors.ts';
import { probeImage } from '@guise/media/image/probe.ts';
import { MediaError } from '@guise/media/media-error.ts';
import { fetchToFile } from '../../net/fetch-to-file.ts';
import { IMAGE_FETCH } from '../../net/media-fetch-limits.ts';
import { NetError } from '../../net/net-error.ts';
import type { RemoteInput } from '../../tasks/task.ts';
import type { WorkerOptions } from '../work/worker-options.ts';

/**
 * Downloads a picture to a scratch file, which the caller must always delete. Checks type and size
 * by the header; nothing is decoded.
 * @throws TaskFailure MEDIA_UNREACHABLE, IMAGE_TOO_LARGE or INVALID_FORMAT naming the field; the
 * signal's
 *   reason.
 */
export async function fetchTarget(
  { field, url }: RemoteInput,
  toPath: string,
  { client, settings: { maxPixels } }: WorkerOptions,
  signal: AbortSignal,
): Promise<void> {
  try {
    await fetchToFile(client, url, toPath, IMAGE_FETCH, signal);
    await probeImage(toPath, { maxPixels });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof NetError) throw netFailure(field, error);
    throw error instanceof MediaError ? imageFailure(field, error, maxPixels) : error;
  }
}

function netFailure(field: string, error: NetError): TaskFailure {
  if (error.code === 'TOO_LARGE') {
    return new TaskFailure(
      'IMAGE_TOO_LARGE',
      `${field} is larger than ${IMAGE_FETCH.maxBytes} bytes.`,
      error,
    );
  }
  return new TaskFailure('MEDIA_UNREACHABLE', `${field} could not be fetched: ${error.message}.`, error);
}

function imageFailure(field: string, error: MediaError, maxPixels: number): TaskFailure {
  switch (error.code) {
    case 'TOO_MANY_PIXELS':
      return new TaskFailure('IMAGE_TOO_LARGE', `${field} has more than ${maxPixels} pixels.`, error);
    case 'UNSUPPORTED':
      return new TaskFailure('INVALID_FORMAT', `${field} is not an image of an accepted type.`, error);
    default:
      return new TaskFailure('INVALID_FORMAT', error.message.replace(/^The image/, field), error);
  }
}
