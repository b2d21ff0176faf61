import { CLIP_FORMATS, type ClipFormat } from '@guise/contract/formats.ts';
import { type ClipField, clipFormatList } from '@guise/contract/ai-tasks/form.ts';
import { AppError, fieldError } from '@guise/contract/errors.ts';
import { AI_TASKS_LIMITS } from '@guise/contract/limits.ts';
import { MediaError } from '@guise/media/media-error.ts';
import { readContainer } from '@guise/media/video/container.ts';
import { probeVideoIsolated } from '@guise/media/clip/isolated.ts';
import { LENGTH_SLACK_SECONDS } from '@guise/media/video/measure.ts';
import { canLoadNodeAv } from '@guise/media/video/node-av.ts';
import type { VideoLimits, VideoProbe } from '@guise/media/video/video-types.ts';
import type { UploadedFile } from './read-form.ts';
import { type Requester, FairLimiter } from './fair-limiter.ts';

/** Limits the number of concurrent probes. Each is a child process that loads FFmpeg. */
const probeLimiter = new FairLimiter(3);

type ClipFile = Pick<UploadedFile, 'name' | 'path' | 'sizeBytes'>;

/**
 * Probes a clip. The caller turns a MediaError into an error of its own interface.
 * @throws MediaError; AppError INVALID_FORMAT for an empty file or a type that is not allowed,
 * INTERNAL_ERROR
 *   as `checkClip`.
 */
export async function probeClip(
  { name, path, sizeBytes }: ClipFile,
  field: Pick<ClipField, 'formats'>,
  limits: Partial<VideoLimits> & { readonly maxSeconds: number },
  requester: Requester,
): Promise<VideoProbe> {
  if (sizeBytes === 0) throw fieldError('INVALID_FORMAT', name, 'is an empty file.');
  const container = await readContainer(path);
  if (!field.formats.includes(container)) throw wrongType(name, field, container);
  if (container !== 'gif' && !(await canLoadNodeAv())) {
    throw new AppError('INTERNAL_ERROR', `This server cannot read videos, so ${name} cannot be used.`);
  }
  const probe = await probeLimiter.run(
    () => probeVideoIsolated(path, { ...limits, signal: requester.signal, isolation: { isOurFile: true } }),
    requester,
  );
  // A GIF with a single picture can still be longer than the limit.
  if (probe.durationSeconds > limits.maxSeconds + LENGTH_SLACK_SECONDS) {
    throw new MediaError('TOO_LONG', `The video is longer than ${limits.maxSeconds} seconds.`, {
      limit: limits.maxSeconds,
    });
  }
  return probe;
}

/**
 * Checks the type (by content), size and length of an uploaded video or GIF in a child process.
 * Nothing is decoded, and a hostile file can only make the check fail.
 * @throws AppError INVALID_FORMAT, VIDEO_TOO_LONG or RESOLUTION_TOO_HIGH naming the field and the
 * limit;
 *   INTERNAL_ERROR if this machine cannot read videos; the signal's reason.
 */
export async function checkClip(file: ClipFile, field: ClipField, requester: Requester): Promise<VideoProbe> {
  const { name } = file;
  try {
    const limits = {
      maxSeconds: field.maxSeconds,
      maxPixels: AI_TASKS_LIMITS.clipPixels,
      maxLongSide: AI_TASKS_LIMITS.clipSide,
      maxShortSide: AI_TASKS_LIMITS.clipSide,
      maxFramesPerSecond: AI_TASKS_LIMITS.framesPerSecond,
      maxSizeBytes: field.maxBytes,
    };
    return await probeClip(file, field, limits, requester);
  } catch (error) {
    throw error instanceof MediaError ? refusal(name, field, error) : error;
  }
}

function refusal(name: string, field: ClipField, error: MediaError): AppError {
  const { message, limit } = error;
  switch (error.code) {
    case 'TOO_LONG': {
      const { maxSeconds } = field;
      const rest = `is longer than ${maxSeconds} seconds.`;
      return fieldError('VIDEO_TOO_LONG', name, rest, { limit: maxSeconds }, error);
    }
    case 'NO_VIDEO':
      return fieldError('INVALID_FORMAT', name, 'has no pictures.', {}, error);
    case 'UNSUPPORTED':
      // If the type is allowed but the codec is unknown, the message about the codec is kept.
      if (!message.includes('codec')) return wrongType(name, field, null, error);
  }
  const sentence = message.replace(/\b[Tt]he (video|GIF|file)( file)?\b/, name);
  return new AppError(
    error.code === 'TOO_MANY_PIXELS' ? 'RESOLUTION_TOO_HIGH' : 'INVALID_FORMAT',
    sentence.startsWith(name) ? sentence : `${name}: ${sentence}`,
    { field: name, ...(limit === null ? {} : { limit }) },
    error,
  );
}

/** Makes the error for a file of a wrong type. @param sent the file's type; null if unknown */
function wrongType(
  name: string,
  { formats }: Pick<ClipField, 'formats'>,
  sent: ClipFormat | null,
  cause?: unknown,
): AppError {
  const is = sent === null ? '' : `, but is ${CLIP_FORMATS[sent].name}`;
  const rest = `must be of type ${clipFormatList(formats)}${is}.`;
  return fieldError('INVALID_FORMAT', name, rest, {}, cause);
}
