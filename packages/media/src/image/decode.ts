import { readFile } from 'node:fs/promises';
import type { Metadata, Sharp } from 'sharp';
import { damaged, MediaError, tooManyPixels } from '../media-error.ts';
import { RangeReader } from '../range-reader.ts';
import { type ImageWithAlpha, splitAlpha, type SplitPixels } from './alpha.ts';
import { readBmpHeader } from './bmp-header.ts';
import { decodeBmpPixels } from './bmp-pixels.ts';
import { decodeHeif } from './decode-heif.ts';
import { IMAGE_FORMATS, type ImageFormat } from '@guise/contract/formats.ts';
import type { HeifColour } from './heif-header.ts';
import { builtInProfile, convertToSrgb } from './icc.ts';
import { inspectImage, type InspectedImage, type PixelLimit } from './probe.ts';
import { configuredSharp } from './sharp.ts';

export interface DecodedImage extends ImageWithAlpha {
  format: ImageFormat;
}

export interface DecodeOptions extends PixelLimit {
  timeoutMs?: number;
}

interface SizedPixels extends SplitPixels {
  width: number;
  height: number;
}

/**
 * Longest time that a decoder may take. A progressive JPEG of 100 megapixels takes some seconds on
 * one busy core.
 */
const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * libjpeg's warnings about damage outside the pixels (jerror.h). Every other warning means that
 * part of the picture is missing or wrong.
 */
const HARMLESS_JPEG_WARNING =
  /extraneous bytes before marker|Adobe color transform|JFIF|SOS parameters|ICC marker/;

/**
 * Decodes a still, or the first frame of an animation, to upright 8-bit sRGB. Call it in the
 * engine's process only, because it runs native decoders on untrusted files.
 * @throws MediaError; the file system's own error for a missing file
 */
export async function decodeImage(filePath: string, options: DecodeOptions): Promise<DecodedImage> {
  const inspected = await inspectImage(filePath, options);
  const { rgb, alpha, width, height } = await decodePixels(filePath, inspected, options);
  return { rgb: { data: rgb, width, height }, alpha, format: inspected.format };
}

async function decodePixels(
  filePath: string,
  inspected: InspectedImage,
  options: DecodeOptions,
): Promise<SizedPixels> {
  const { format, heif } = inspected;
  if (format === 'bmp') return decodeBmp(filePath);
  if (heif?.codec === 'hevc') return decodeHevc(filePath, heif.colour, options);
  const pixels = await decodeWithSharp(filePath, inspected, options);
  // sharp applies an ICC profile itself, but ignores nclx.
  if (heif && !heif.colour.icc) await toSrgb(pixels, heif.colour);
  return pixels;
}

async function decodeHevc(
  filePath: string,
  colour: HeifColour,
  options: DecodeOptions,
): Promise<SizedPixels> {
  const job = { filePath, maxPixels: options.maxPixels };
  const { pixels, width, height, channels } = await decodeHeif(job, options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const split = { ...splitAlpha(pixels, width * height, channels), width, height };
  await toSrgb(split, colour);
  return split;
}

async function toSrgb({ rgb, width, height }: SizedPixels, colour: HeifColour): Promise<void> {
  const icc = colour.icc ?? (colour.displayP3 ? await builtInProfile('p3') : null);
  if (icc) await convertToSrgb(rgb, width, height, icc);
}

async function decodeBmp(filePath: string): Promise<SizedPixels> {
  await using reader = await RangeReader.open(filePath);
  const header = await readBmpHeader(reader);
  const { width, height } = header;
  return { ...decodeBmpPixels(await readFile(filePath), header), width, height };
}

async function decodeWithSharp(
  filePath: string,
  inspected: InspectedImage,
  options: DecodeOptions,
): Promise<SizedPixels> {
  try {
    if (inspected.format !== 'jpeg') return await runSharp(filePath, inspected, options, 'error');
    return await runSharp(filePath, inspected, options, 'warning').catch((error: Error) => {
      if (!HARMLESS_JPEG_WARNING.test(error.message)) throw error;
      return runSharp(filePath, inspected, options, 'error');
    });
  } catch (error) {
    throw asMediaError(error as Error, inspected.format, options.maxPixels);
  }
}

async function runSharp(
  filePath: string,
  inspected: InspectedImage,
  { maxPixels, timeoutMs = DEFAULT_TIMEOUT_MS }: DecodeOptions,
  failOn: 'error' | 'warning',
): Promise<SizedPixels> {
  const image = configuredSharp()(filePath, { failOn, limitInputPixels: maxPixels, sequentialRead: true });
  const metadata = await image.metadata();
  let pipeline = image.autoOrient().toColourspace('srgb');
  // sharp converts 16-bit pixels with a profile to Display P3, and to sRGB only if a profile is
  // requested.
  if (metadata.depth === 'ushort' && metadata.hasProfile) pipeline = pipeline.withIccProfile('srgb');
  if (inspected.format === 'gif') pipeline = fitCanvas(pipeline, metadata, inspected);
  const { data, info } = await pipeline
    .timeout({ seconds: Math.ceil(timeoutMs / 1000) })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { ...splitAlpha(data, width * height, channels), width, height };
}

/**
 * Crops or extends a GIF to the canvas that the probe found. libnsgif makes the canvas of some GIFs
 * as large as their frames.
 */
function fitCanvas(pipeline: Sharp, metadata: Metadata, { width, height }: InspectedImage): Sharp {
  const right = Math.max(0, width - metadata.width);
  const bottom = Math.max(0, height - metadata.height);
  const cutsOff = metadata.width > width || metadata.height > height;
  const fitted = cutsOff
    ? pipeline.extract({
        left: 0,
        top: 0,
        width: Math.min(width, metadata.width),
        height: Math.min(height, metadata.height),
      })
    : pipeline;
  if (right === 0 && bottom === 0) return fitted;
  return fitted.extend({ right, bottom, background: { r: 0, g: 0, b: 0, alpha: 0 } });
}

function asMediaError(error: Error, format: ImageFormat, maxPixels: number): Error {
  if (/pixel limit/.test(error.message)) return tooManyPixels(maxPixels, error);
  if (/timeout/.test(error.message)) {
    return new MediaError('TIMEOUT', 'Decoding the image took too long.', { cause: error });
  }
  // The file is not to blame for a lack of memory.
  if (/out of memory/i.test(error.message)) return error;
  return damaged(IMAGE_FORMATS[format].name, error);
}
