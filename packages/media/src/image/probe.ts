import { RangeReader } from '../range-reader.ts';
import { MediaError, tooManyPixels, unreadable } from '../media-error.ts';
import { readBmpHeader } from './bmp-header.ts';
import { IMAGE_FORMATS, type ImageFormat } from '@guise/contract/formats.ts';
import { readGifHeader } from './gif-header.ts';
import type { ImageHeader } from './header.ts';
import { type HeifHeader, readHeifHeader } from './heif-header.ts';
import { readJpegHeader } from './jpeg-header.ts';
import { readPngHeader } from './png-header.ts';
import { sniffImage, SNIFF_BYTES } from './sniff.ts';
import { readWebpHeader } from './webp-header.ts';

/** Format and size of an image according to its header. */
export interface ImageProbe {
  format: ImageFormat;
  contentType: string;
  /**
   * Width in pixels of the upright picture that `decodeImage` returns, or of an animation's canvas.
   */
  width: number;
  /** Height in pixels of that picture or canvas. */
  height: number;
}

/** A probe with the parts of the header that only the decoder needs. */
export interface InspectedImage extends ImageProbe {
  heif: HeifHeader | null;
}

export interface PixelLimit {
  /** Largest allowed width x height. */
  maxPixels: number;
}

/**
 * Reads an image's header without decoding the image. The number of reads is bounded and the memory
 * constant (up to 4 MiB for HEIF's item table), so hostile files are safe inside the API process.
 * @throws MediaError UNSUPPORTED, UNREADABLE or TOO_MANY_PIXELS; the file system's own error for a
 * missing file
 */
export async function probeImage(filePath: string, limits: PixelLimit): Promise<ImageProbe> {
  const { format, contentType, width, height } = await inspectImage(filePath, limits);
  return { format, contentType, width, height };
}

/** Reads an image's header like `probeImage`, and adds the parts that only the decoder needs. */
export async function inspectImage(filePath: string, { maxPixels }: PixelLimit): Promise<InspectedImage> {
  await using reader = await RangeReader.open(filePath);
  if (reader.sizeBytes === 0) throw unreadable('it is empty');
  const format = sniffImage(await reader.read(0, Math.min(SNIFF_BYTES, reader.sizeBytes)));
  if (format === null) {
    throw new MediaError('UNSUPPORTED', 'The file is not an image of an accepted type.');
  }
  const header = await readHeader(reader, format);
  const swapsSides = header.orientation >= 5;
  const width = swapsSides ? header.height : header.width;
  const height = swapsSides ? header.width : header.height;
  if (width === 0 || height === 0) throw unreadable('it has no pixels');
  if (width * height > maxPixels) throw tooManyPixels(maxPixels);
  const heif = 'codec' in header ? header : null;
  return { format, contentType: IMAGE_FORMATS[format].contentType, width, height, heif };
}

async function readHeader(reader: RangeReader, format: ImageFormat): Promise<ImageHeader | HeifHeader> {
  switch (format) {
    case 'jpeg':
      return readJpegHeader(reader);
    case 'png':
      return readPngHeader(reader);
    case 'webp':
      return readWebpHeader(reader);
    case 'gif':
      return readGifHeader(reader);
    case 'bmp': {
      const { width, height } = await readBmpHeader(reader);
      return { width, height, orientation: 1 };
    }
    case 'heif':
    case 'avif':
      return readHeifHeader(reader);
  }
}
