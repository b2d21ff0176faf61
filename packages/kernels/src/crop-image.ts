import type { RgbImage } from './image.ts';
import type { PlaneMaker } from './workspace.ts';
import { ordinaryPlanes } from './workspace.ts';

/** Whole pixels of an image. */
export interface PixelBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A copy of a part that lies inside the image. */
export function cropImage(
  image: RgbImage,
  { x, y, width, height }: PixelBox,
  make: PlaneMaker = ordinaryPlanes,
): RgbImage {
  const data = make.unsetBytes(width * height * 3);
  for (let row = 0, to = 0; row < height; row++, to += width * 3) {
    const from = ((y + row) * image.width + x) * 3;
    data.set(image.data.subarray(from, from + width * 3), to);
  }
  return { data, width, height };
}
