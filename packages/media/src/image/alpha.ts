import type { RgbImage } from '@guise/kernels/image.ts';

/** Colour and transparency in separate arrays, as the engine takes them. */
export interface SplitPixels {
  /** Interleaved RGB, width * height * 3 bytes. */
  rgb: Uint8Array;
  /** Straight alpha, width * height bytes; null if every pixel is opaque. */
  alpha: Uint8Array | null;
}

/** An sRGB image and its transparency. */
export interface ImageWithAlpha {
  rgb: RgbImage;
  /** Straight (not premultiplied) alpha, width * height bytes; null if every pixel is opaque. */
  alpha: Uint8Array | null;
}

/**
 * Splits interleaved pixels of 1 (grey), 2 (grey, alpha), 3 or 4 channels. RGBA is compacted in
 * place to save a copy, so `pixels` must not be used afterwards.
 * @param pixels length pixelCount * channels
 */
export function splitAlpha(pixels: Uint8Array, pixelCount: number, channels: number): SplitPixels {
  const hasAlpha = channels === 2 || channels === 4;
  const alpha = hasAlpha ? extractAlpha(pixels, pixelCount, channels) : null;
  if (channels === 3) return { rgb: pixels, alpha };
  if (channels < 3) return { rgb: greyToRgb(pixels, pixelCount, channels), alpha };
  for (let from = 4, to = 3; to < pixelCount * 3; from += 4, to += 3) {
    pixels[to] = pixels[from]!;
    pixels[to + 1] = pixels[from + 1]!;
    pixels[to + 2] = pixels[from + 2]!;
  }
  return { rgb: pixels.subarray(0, pixelCount * 3), alpha };
}

/** Joins colour and straight alpha to interleaved RGBA. */
export function joinAlpha(rgb: Uint8Array, alpha: Uint8Array): Uint8Array {
  const rgba = new Uint8Array(alpha.length * 4);
  for (let pixel = 0, from = 0, to = 0; pixel < alpha.length; pixel++, from += 3, to += 4) {
    rgba[to] = rgb[from]!;
    rgba[to + 1] = rgb[from + 1]!;
    rgba[to + 2] = rgb[from + 2]!;
    rgba[to + 3] = alpha[pixel]!;
  }
  return rgba;
}

function extractAlpha(pixels: Uint8Array, pixelCount: number, channels: number): Uint8Array | null {
  let lowest = 255;
  for (let at = channels - 1; at < pixels.length; at += channels) lowest &= pixels[at]!;
  if (lowest === 255) return null;
  const alpha = new Uint8Array(pixelCount);
  for (let pixel = 0, at = channels - 1; pixel < pixelCount; pixel++, at += channels)
    alpha[pixel] = pixels[at]!;
  return alpha;
}

function greyToRgb(pixels: Uint8Array, pixelCount: number, channels: number): Uint8Array {
  const rgb = new Uint8Array(pixelCount * 3);
  for (let from = 0, to = 0; to < rgb.length; from += channels, to += 3) {
    const grey = pixels[from]!;
    rgb[to] = grey;
    rgb[to + 1] = grey;
    rgb[to + 2] = grey;
  }
  return rgb;
}
