import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { PNG_SIGNATURE, pngHeader, writePngChunk } from '../container/png-chunks.ts';
import { configuredSharp } from './sharp.ts';

const deflate = promisify(zlib.deflate);

/**
 * Number of pixels that are converted at once. sharp takes a profile only inside a file, and this
 * file is a copy of the pixels.
 */
const STRIP_PIXELS = 4_000_000;

/**
 * Converts pixels to sRGB by an ICC profile, in place, for decoders that return pixels as coded
 * (libheif, AVIF with nclx). An unusable profile leaves the pixels unchanged, as sharp does for
 * every other format.
 * @param rgb interleaved, width * height * 3
 */
export async function convertToSrgb(
  rgb: Uint8Array,
  width: number,
  height: number,
  icc: Uint8Array,
): Promise<void> {
  const sharp = configuredSharp();
  const profile = await deflate(icc);
  const stripRows = Math.max(1, Math.floor(STRIP_PIXELS / width));
  for (let top = 0; top < height; top += stripRows) {
    const rows = Math.min(stripRows, height - top);
    const strip = rgb.subarray(top * width * 3, (top + rows) * width * 3);
    const png = await storedPng(strip, width, rows, profile);
    const { data, info } = await sharp(png, { limitInputPixels: width * rows })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    if (info.channels === 3) strip.set(data);
  }
}

const profiles = new Map<string, Promise<Uint8Array>>();

/** Reads a profile that is part of libvips. */
export function builtInProfile(name: 'p3' | 'srgb'): Promise<Uint8Array> {
  const known = profiles.get(name) ?? readBuiltIn(name);
  profiles.set(name, known);
  return known;
}

async function readBuiltIn(name: string): Promise<Uint8Array> {
  const sharp = configuredSharp();
  const pixel = { width: 1, height: 1, channels: 3, background: 'black' } as const;
  const png = await sharp({ create: pixel }).withIccProfile(name).png().toBuffer();
  return (await sharp(png).metadata()).icc!;
}

/** Makes an uncompressed 8-bit RGB PNG: a copy of the pixels that starts with a profile. */
async function storedPng(rgb: Uint8Array, width: number, height: number, profile: Buffer): Promise<Buffer> {
  const rowBytes = width * 3;
  // Each row starts with its filter type, 0.
  const rows = Buffer.alloc((rowBytes + 1) * height);
  for (let y = 0; y < height; y++)
    rows.set(rgb.subarray(y * rowBytes, (y + 1) * rowBytes), y * (rowBytes + 1) + 1);
  return Buffer.concat([
    PNG_SIGNATURE,
    writePngChunk('IHDR', pngHeader(width, height, 3)),
    writePngChunk('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), profile])),
    writePngChunk('IDAT', await deflate(rows, { level: 0 })),
    writePngChunk('IEND', Buffer.alloc(0)),
  ]);
}
