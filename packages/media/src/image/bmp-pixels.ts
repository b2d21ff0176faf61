import { damaged } from '../media-error.ts';
import type { BmpHeader } from './bmp-header.ts';
import type { SplitPixels } from './alpha.ts';

/**
 * Decodes the pixels of a BMP: palettes of 1, 4 and 8 bits (RLE too), and 16, 24 and 32 bits with
 * any masks, in either row order. fast-bmp lacks palettes, RLE, 4 and 16 bits and top-down rows.
 * @param file the whole file
 * @throws MediaError DAMAGED if the file ends before its last row
 */
export function decodeBmpPixels(file: Buffer, header: BmpHeader): SplitPixels {
  if (header.compression !== 'none') return paint(decodeRunLengths(file, header), file, header);
  const rowBytes = Math.ceil((header.width * header.bitsPerPixel) / 32) * 4;
  // Some writers omit the padding of the last row.
  const lastRowBytes = Math.ceil((header.width * header.bitsPerPixel) / 8);
  if (header.pixelOffset + rowBytes * (header.height - 1) + lastRowBytes > file.length) throw damaged('BMP');
  if (header.bitsPerPixel <= 8) return paint(unpackIndices(file, header, rowBytes), file, header);
  return header.bitsPerPixel === 24 ? copyBgr(file, header, rowBytes) : applyMasks(file, header, rowBytes);
}

/** Returns the row of the file that holds row `y` of the picture. */
const fileRow = ({ topDown, height }: BmpHeader, y: number) => (topDown ? y : height - 1 - y);

/** Replaces palette indices by their colours. An index beyond the palette becomes black. */
function paint(indices: Uint8Array, file: Buffer, { palette, width, height }: BmpHeader): SplitPixels {
  const colours = new Uint8Array(256 * 3);
  for (let index = 0; index < palette.entries; index++) {
    const at = palette.offset + index * palette.entryBytes;
    if (at + 3 > file.length) break;
    colours.set([file[at + 2]!, file[at + 1]!, file[at]!], index * 3);
  }
  const rgb = new Uint8Array(width * height * 3);
  for (let pixel = 0, to = 0; pixel < indices.length; pixel++, to += 3) {
    const from = indices[pixel]! * 3;
    rgb[to] = colours[from]!;
    rgb[to + 1] = colours[from + 1]!;
    rgb[to + 2] = colours[from + 2]!;
  }
  return { rgb, alpha: null };
}

function unpackIndices(file: Buffer, header: BmpHeader, rowBytes: number): Uint8Array {
  const { width, height, bitsPerPixel, pixelOffset } = header;
  const indices = new Uint8Array(width * height);
  const perByte = 8 / bitsPerPixel;
  const mask = (1 << bitsPerPixel) - 1;
  for (let y = 0, to = 0; y < height; y++) {
    const row = pixelOffset + fileRow(header, y) * rowBytes;
    for (let x = 0; x < width; x++, to++) {
      const shift = 8 - bitsPerPixel * ((x % perByte) + 1);
      indices[to] = (file[row + Math.floor(x / perByte)]! >> shift) & mask;
    }
  }
  return indices;
}

/**
 * Decodes RLE8 and RLE4 to palette indices. Both consist of (count, value) runs. Count 0 means the
 * end of a row or of the picture, a jump, or literal pixels.
 */
function decodeRunLengths(file: Buffer, header: BmpHeader): Uint8Array {
  const { width, height } = header;
  const nibbles = header.compression === 'rle4';
  const indices = new Uint8Array(width * height);
  let at = header.pixelOffset;
  let x = 0;
  let row = 0;
  while (row < height) {
    if (at + 2 > file.length) {
      // Some writers omit the end mark, so only a missing row counts as damage.
      if (row < height - 1) throw damaged('BMP');
      break;
    }
    const count = file[at]!;
    const value = file[at + 1]!;
    at += 2;
    if (count === 0 && value === 0) {
      x = 0;
      row++;
    } else if (count === 0 && value === 1) {
      break;
    } else if (count === 0 && value === 2) {
      if (at + 2 > file.length) throw damaged('BMP');
      x += file[at]!;
      row += file[at + 1]!;
      at += 2;
    } else {
      const literal = count === 0;
      const length = literal ? value : count;
      const rowStart = fileRow(header, row) * width;
      const end = Math.min(x + length, width);
      for (let pixel = x, index = 0; pixel < end; pixel++, index++) {
        const byte = literal ? file[at + (nibbles ? index >> 1 : index)]! : value;
        indices[rowStart + pixel] = nibbles ? ((index & 1) === 0 ? byte >> 4 : byte & 15) : byte;
      }
      x += length;
      // Literal pixels are padded to 16 bits.
      if (literal) at += ((nibbles ? (length + 1) >> 1 : length) + 1) & ~1;
    }
  }
  return indices;
}

function copyBgr(file: Buffer, header: BmpHeader, rowBytes: number): SplitPixels {
  const { width, height, pixelOffset } = header;
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0, to = 0; y < height; y++) {
    let from = pixelOffset + fileRow(header, y) * rowBytes;
    for (let x = 0; x < width; x++, from += 3, to += 3) {
      rgb[to] = file[from + 2]!;
      rgb[to + 1] = file[from + 1]!;
      rgb[to + 2] = file[from]!;
    }
  }
  return { rgb, alpha: null };
}

function applyMasks(file: Buffer, header: BmpHeader, rowBytes: number): SplitPixels {
  const { width, height, pixelOffset, bitsPerPixel, masks } = header;
  const channels = masks.map(channelOf);
  const pixelBytes = bitsPerPixel / 8;
  const rgb = new Uint8Array(width * height * 3);
  const alpha = masks[3] === 0 ? null : new Uint8Array(width * height);
  for (let y = 0, pixel = 0; y < height; y++) {
    let from = pixelOffset + fileRow(header, y) * rowBytes;
    for (let x = 0; x < width; x++, pixel++, from += pixelBytes) {
      const value =
        pixelBytes === 2
          ? file[from]! | (file[from + 1]! << 8)
          : file[from]! | (file[from + 1]! << 8) | (file[from + 2]! << 16) | (file[from + 3]! << 24);
      for (let channel = 0; channel < 3; channel++) {
        const { mask, shift, scale } = channels[channel]!;
        rgb[pixel * 3 + channel] = ((value & mask) >>> shift) * scale + 0.5;
      }
      if (alpha)
        alpha[pixel] = ((value & channels[3]!.mask) >>> channels[3]!.shift) * channels[3]!.scale + 0.5;
    }
  }
  return { rgb, alpha: alpha && isTransparency(alpha) ? alpha : null };
}

/** Returns shift and scale of a mask. `scale` maps the mask's largest value to 255. */
function channelOf(mask: number): { mask: number; shift: number; scale: number } {
  if (mask === 0) return { mask: 0, shift: 0, scale: 0 };
  const shift = 31 - Math.clz32(mask & -mask);
  return { mask, shift, scale: 255 / (mask >>> shift) };
}

/**
 * Returns whether alpha is worth keeping. Alpha of 255 everywhere is opaque. Alpha of 0 everywhere
 * also counts as opaque, because many writers declare alpha and leave it at zero.
 */
function isTransparency(alpha: Uint8Array): boolean {
  return alpha.some((value) => value !== 0) && alpha.some((value) => value !== 255);
}
