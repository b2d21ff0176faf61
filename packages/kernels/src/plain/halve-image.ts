import type { RgbImage } from '../image.ts';

/**
 * Makes an image of `floor(width / 2)` x `floor(height / 2)`. Each pixel is the rounded mean of a 2
 * x 2 block.
 */
export function halveImage(image: RgbImage): RgbImage {
  const width = image.width >> 1;
  const height = image.height >> 1;
  const from = image.data;
  const stride = image.width * 3;
  const data = new Uint8Array(width * height * 3);
  for (let y = 0, out = 0; y < height; y++) {
    let upper = 2 * y * stride;
    let lower = upper + stride;
    for (let x = 0; x < width; x++, upper += 6, lower += 6, out += 3) {
      data[out] = (from[upper]! + from[upper + 3]! + from[lower]! + from[lower + 3]! + 2) >> 2;
      data[out + 1] = (from[upper + 1]! + from[upper + 4]! + from[lower + 1]! + from[lower + 4]! + 2) >> 2;
      data[out + 2] = (from[upper + 2]! + from[upper + 5]! + from[lower + 2]! + from[lower + 5]! + 2) >> 2;
    }
  }
  return { data, width, height };
}
