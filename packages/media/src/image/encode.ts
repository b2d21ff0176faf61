import type { Sharp } from 'sharp';
import { SWAP_PROVENANCE, type SwapSourceType, writeXmp } from '../xmp/xmp.ts';
import { writeDurably, type WrittenFile } from '../write-durably.ts';
import { type ImageWithAlpha, joinAlpha } from './alpha.ts';
import { IMAGE_FORMATS, type StillFormat } from '@guise/contract/formats.ts';
import { builtInProfile } from './icc.ts';
import { addIccProfile } from './jpeg-profile.ts';
import { writePng } from './png-writer.ts';
import { configuredSharp } from './sharp.ts';

/** An image file as it was written. */
export interface EncodedFile extends WrittenFile {
  contentType: string;
  width: number;
  height: number;
}

/**
 * JPEG settings that survive another encoding, because only the face may change. Encoding takes 5
 * ms a megapixel; optimised tables would take 14 ms and save 2 %.
 */
const JPEG_OPTIONS = { quality: 95, chromaSubsampling: '4:4:4', optimiseCoding: false } as const;

/**
 * WebP settings. `exact` keeps the colours under transparent pixels. Encoding takes 60 ms a
 * megapixel; effort 4 would take 130 ms and save 2 %.
 */
const WEBP_OPTIONS = { quality: 92, alphaQuality: 100, effort: 2, exact: true } as const;

/**
 * Makes the last change to an encoded file before it is written, such as adding content
 * credentials. Takes the file's bytes and returns the new ones in pieces.
 */
export type Seal = (bytes: Uint8Array, contentType: string) => Promise<readonly Uint8Array[]>;

/**
 * Writes an sRGB image with its colour space and the provenance mark. `seal` may add metadata;
 * there is no other. The file appears when it is complete and on disk; otherwise it does not
 * appear. Its folder must exist.
 * @param format PNG and WebP keep alpha; JPEG has none and shows white behind the picture
 * @param digitalSourceType what the provenance mark says
 */
export async function encodeImage(
  image: ImageWithAlpha,
  format: StillFormat,
  outPath: string,
  seal: Seal = (bytes) => Promise.resolve([bytes]),
  digitalSourceType: SwapSourceType = SWAP_PROVENANCE.digitalSourceType,
): Promise<EncodedFile> {
  const { width, height } = image.rgb;
  const { contentType } = IMAGE_FORMATS[format];
  const xmp = writeXmp({ ...SWAP_PROVENANCE, digitalSourceType });
  const bytes = await encodeToBytes(image, format, xmp);
  const written = await writeDurably(outPath, await seal(bytes, contentType));
  return { contentType, width, height, ...written };
}

async function encodeToBytes(image: ImageWithAlpha, format: StillFormat, xmp: string): Promise<Buffer> {
  if (format !== 'png') return await encodeWithSharp(image, format, xmp);
  const pieces: Uint8Array[] = [];
  for await (const piece of writePng(image, xmp)) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function encodeWithSharp(
  { rgb, alpha }: ImageWithAlpha,
  format: 'jpeg' | 'webp',
  xmp: string,
): Promise<Buffer> {
  const raw = { width: rgb.width, height: rgb.height, channels: alpha ? 4 : 3 } as const;
  const pixels = alpha ? joinAlpha(rgb.data, alpha) : rgb.data;
  const image: Sharp = configuredSharp()(pixels, { raw, limitInputPixels: false });
  if (format === 'webp') return image.webp(WEBP_OPTIONS).withIccProfile('srgb').withXmp(xmp).toBuffer();
  const jpeg = await image.flatten({ background: '#ffffff' }).jpeg(JPEG_OPTIONS).withXmp(xmp).toBuffer();
  // sharp's own option would first convert every pixel from sRGB to sRGB, which takes longer than
  // encoding.
  return addIccProfile(jpeg, await builtInProfile('srgb'));
}
