import type { RgbImage } from './image.ts';
import { ordinaryPlanes, type PlaneMaker } from './workspace.ts';

/** A rectangle of whole pixels of an image. */
export interface PixelBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Copies a part that lies inside the image. */
export function cropImage(
  image: RgbImage,
  { x, y, width, height }: PixelBox,
  make: PlaneMaker = ordinaryPlanes,
): RgbImage {
  const data = make.uninitialisedBytes(width * height * 3);
  // `Buffer.copy` copies a row without making an object for it.
  const bytes = Buffer.from(image.data.buffer, image.data.byteOffset, image.data.byteLength);
  for (let row = 0, to = 0; row < height; row++, to += width * 3) {
    const from = ((y + row) * image.width + x) * 3;
    bytes.copy(data, to, from, from + width * 3);
  }
  return { data, width, height };
}
