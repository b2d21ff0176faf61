import type { RgbImage } from '@guise/kernels/image.ts';
import { configuredSharp } from './sharp.ts';

/** Side of a thumbnail, pixels: twice its size in a list, for dense screens. */
const THUMBNAIL_PX = 128;
/** WebP quality, 1..100. A thumbnail has some 3 KB. */
const THUMBNAIL_QUALITY = 70;
/** Side of the part that is shown, in sides of the box. */
const MARGIN = 1.8;

/** Longest side of a preview, pixels. */
const PREVIEW_PX = 960;

/** A part of a picture, pixels. */
export interface ThumbnailBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Makes a small square WebP of a picture: of the surroundings of a box or, without one, of the
 * part that attracts attention.
 * @returns the file, at most some 10 KB
 */
export function makeThumbnail(image: RgbImage, box: ThumbnailBox | null): Promise<Buffer> {
  const { width, height } = image;
  const whole = sharpOf(image);
  const part = box === null ? whole : whole.extract(squareAround(box, width, height));
  return part
    .resize(THUMBNAIL_PX, THUMBNAIL_PX, { fit: 'cover', position: 'attention' })
    .webp({ quality: THUMBNAIL_QUALITY })
    .toBuffer();
}

/** Makes a WebP of a whole picture, at most 960 pixels wide and high. It has some 80 KB. */
export function makePreview(image: RgbImage): Promise<Buffer> {
  return sharpOf(image)
    .resize(PREVIEW_PX, PREVIEW_PX, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: THUMBNAIL_QUALITY })
    .toBuffer();
}

function sharpOf({ width, height, data }: RgbImage) {
  return configuredSharp()(data, { raw: { width, height, channels: 3 }, limitInputPixels: false });
}

/** Returns the square around a box, as far as it lies inside the picture. */
function squareAround({ x, y, ...size }: ThumbnailBox, width: number, height: number) {
  const wanted = MARGIN * Math.max(size.width, size.height);
  const side = Math.max(1, Math.round(Math.min(width, height, wanted)));
  const place = (middle: number, length: number): number =>
    Math.round(Math.min(Math.max(0, middle - side / 2), length - side));
  return {
    left: place(x + size.width / 2, width),
    top: place(y + size.height / 2, height),
    width: side,
    height: side,
  };
}
