import { clipFormatList } from '@guise/contract/ai-tasks/form.ts';
import { AppError, fieldError } from '@guise/contract/errors.ts';
import { V1_LIMITS } from '@guise/contract/limits.ts';
import { TARGET_VIDEO_FORMATS } from '@guise/contract/v1/values.ts';
import { MediaError } from '@guise/media/media-error.ts';
import { IMAGE_FORMATS, type ImageFormat } from '@guise/contract/formats.ts';
import type { VideoProbe } from '@guise/media/video/video-types.ts';
import { probeClip } from './check-clip.ts';
import { checkImage } from './check-image.ts';
import type { CheckedFile } from './store-inputs.ts';
import type { Requester } from './fair-limiter.ts';

/** A file in a scratch folder. */
export interface MediaFile {
  readonly name: string;
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** Allowed image formats: all formats that the engine reads. */
const STILL_FORMATS = Object.keys(IMAGE_FORMATS) as ImageFormat[];

/**
 * Checks an image by its header.
 * @throws AppError INVALID_FORMAT or IMAGE_TOO_LARGE naming the field.
 */
export async function checkV1Image(file: MediaFile, maxPixels: number): Promise<CheckedFile> {
  const { format, contentType, width, height } = await checkImage(
    file,
    { formats: STILL_FORMATS },
    maxPixels,
  );
  return checked(file, IMAGE_FORMATS[format].extensions[0], { contentType, width, height });
}

/**
 * Checks a video by its packets, in a child process.
 * @throws AppError INVALID_FORMAT, VIDEO_TOO_LONG, RESOLUTION_TOO_HIGH naming the field and the
 * limit; the signal's reason.
 */
export async function checkV1Video(
  file: MediaFile,
  requester: Requester,
): Promise<CheckedFile & { readonly probe: VideoProbe }> {
  let probe: VideoProbe;
  try {
    probe = await probeClip(
      file,
      { formats: TARGET_VIDEO_FORMATS },
      {
        maxSeconds: V1_LIMITS.videoSeconds,
        maxPixels: V1_LIMITS.videoLongSide * V1_LIMITS.videoShortSide,
        maxLongSide: V1_LIMITS.videoLongSide,
        maxShortSide: V1_LIMITS.videoShortSide,
        maxFramesPerSecond: V1_LIMITS.framesPerSecond,
        maxSizeBytes: V1_LIMITS.videoBytes,
      },
      requester,
    );
  } catch (error) {
    throw error instanceof MediaError ? videoRefusal(file.name, error) : error;
  }
  const { container, contentType, width, height, durationSeconds } = probe;
  return { ...checked(file, container, { contentType, width, height, durationSeconds }), probe };
}

function checked(
  { name, path, sizeBytes, sha256 }: MediaFile,
  extension: string,
  facts: Pick<CheckedFile['input'], 'contentType' | 'width' | 'height' | 'durationSeconds'>,
): CheckedFile {
  return { path, extension, input: { field: name, fileName: name, sizeBytes, sha256, ...facts } };
}

function videoRefusal(name: string, error: MediaError): AppError {
  const { videoSeconds, videoLongSide, videoShortSide, framesPerSecond } = V1_LIMITS;
  switch (error.code) {
    case 'TOO_LONG':
      return fieldError(
        'VIDEO_TOO_LONG',
        name,
        `is longer than ${videoSeconds} seconds.`,
        { limit: videoSeconds },
        error,
      );
    case 'TOO_MANY_PIXELS':
      return fieldError(
        'RESOLUTION_TOO_HIGH',
        name,
        `has more than ${videoLongSide} x ${videoShortSide} pixels.`,
        { limit: videoLongSide },
        error,
      );
    case 'TOO_MANY_FRAMES':
      return fieldError(
        'INVALID_FORMAT',
        name,
        `has more than ${framesPerSecond} frames per second.`,
        { limit: framesPerSecond },
        error,
      );
    case 'NO_VIDEO':
      return fieldError('INVALID_FORMAT', name, 'has no pictures.', {}, error);
    case 'UNSUPPORTED':
      // If the type is allowed but the codec is unknown, the message about the codec is kept.
      if (!error.message.includes('codec')) {
        const rest = `must be of type ${clipFormatList(TARGET_VIDEO_FORMATS)}.`;
        return fieldError('INVALID_FORMAT', name, rest, {}, error);
      }
  }
  const sentence = error.message.replace(/\b[Tt]he (video|file)( file)?\b/, name);
  return new AppError(
    'INVALID_FORMAT',
    sentence.startsWith(name) ? sentence : `${name}: ${sentence}`,
    { field: name },
    error,
  );
}
