import type { ImageFormat } from '@guise/contract/formats.ts';

/** Number of bytes that `sniffImage` needs. A shorter file is judged by all of its bytes. */
export const SNIFF_BYTES = 64;

/**
 * Brands in the file type box of HEVC stills and sequences (ISO 23008-12, B.4), and the general
 * HEIF brands.
 */
const HEIF_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']);

/**
 * Finds the format of a still image from its first bytes. Names and declared types are ignored.
 * @param head the first `SNIFF_BYTES` of the file, or all of a shorter one
 * @returns null for every format that is not accepted (SVG, TIFF, ICO, PPM, PDF, video, text, ...)
 */
export function sniffImage(head: Uint8Array): ImageFormat | null {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'gif';
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'webp';
  if (isBmp(text, head)) return 'bmp';
  if (text.startsWith('ftyp', 4)) return isoFormat(text, head);
  return null;
}

/**
 * Returns whether a file is a BMP. Many texts begin with `BM`, so the second header must have a
 * valid size.
 */
function isBmp(text: string, head: Uint8Array): boolean {
  if (!text.startsWith('BM') || head.length < 18) return false;
  const headerBytes = head[14]! | (head[15]! << 8) | (head[16]! << 16) | (head[17]! << 24);
  return [12, 16, 40, 52, 56, 64, 108, 124].includes(headerBytes);
}

function isoFormat(text: string, head: Uint8Array): ImageFormat | null {
  const boxBytes = ((head[0]! << 24) | (head[1]! << 16) | (head[2]! << 8) | head[3]!) >>> 0;
  const end = Math.min(boxBytes, text.length);
  // The major brand comes first. The compatible brands follow the 4 bytes of the minor version.
  const brands = [text.slice(8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(text.slice(at, at + 4));
  // An AVIF file lists `mif1` too, so AVIF is checked first.
  if (brands.includes('avif') || brands.includes('avis')) return 'avif';
  return brands.some((brand) => HEIF_BRANDS.has(brand)) ? 'heif' : null;
}
