import { type FileField, formatList } from '@guise/contract/ai-tasks/form.ts';
import { AppError, fieldError } from '@guise/contract/errors.ts';
import type { ImageProbe } from '@guise/media/image/probe.ts';
import { probeImage } from '@guise/media/image/probe.ts';
import { MediaError } from '@guise/media/media-error.ts';
import type { UploadedFile } from './read-form.ts';

/**
 * Reads the header of an uploaded image: type (by content) and size in pixels. Nothing is decoded.
 * @throws AppError INVALID_FORMAT or IMAGE_TOO_LARGE naming the field.
 */
export async function checkImage(
  file: Pick<UploadedFile, 'name' | 'path' | 'sizeBytes'>,
  field: Pick<FileField, 'formats'>,
  maxPixels: number,
): Promise<ImageProbe> {
  const { name } = file;
  if (file.sizeBytes === 0) throw fieldError('INVALID_FORMAT', name, 'is an empty file.');
  let probe: ImageProbe;
  try {
    probe = await probeImage(file.path, { maxPixels });
  } catch (error) {
    throw error instanceof MediaError ? refusal(name, field, error, maxPixels) : error;
  }
  if (!field.formats.includes(probe.format)) throw unsupported(name, field);
  return probe;
}

function refusal(
  name: string,
  field: Pick<FileField, 'formats'>,
  error: MediaError,
  maxPixels: number,
): AppError {
  switch (error.code) {
    case 'UNSUPPORTED':
      return unsupported(name, field, error);
    case 'TOO_MANY_PIXELS':
      return fieldError(
        'IMAGE_TOO_LARGE',
        name,
        `has more than ${maxPixels} pixels.`,
        { limit: maxPixels },
        error,
      );
    default:
      return new AppError(
        'INVALID_FORMAT',
        error.message.replace(/^The image/, name),
        { field: name },
        error,
      );
  }
}

function unsupported(name: string, field: Pick<FileField, 'formats'>, cause?: unknown): AppError {
  return fieldError('INVALID_FORMAT', name, `must be a ${formatList(field.formats)} image.`, {}, cause);
}
