import type { RgbImage } from './image.ts';

/** Below this side a level would no longer show anything. */
const SMALLEST_SIDE = 2;

/**
 * An image and its half-size copies, each built on first use: crops and downscales read the level that is just
 * fine enough, so that a small crop of a 100-megapixel photo is antialiased without touching every pixel again.
 *
 * Level k is `2^k` times smaller; every pixel is the rounded mean of 2 x 2 pixels of the level before. An odd last
 * row or column is left out, so edge-based coordinates of level k are those of the image divided by `2^k`, exactly.
 */
export class ImagePyramid {
  readonly image: RgbImage;
  readonly #levels: RgbImage[];

  constructor(image: RgbImage) {
    this.image = image;
    this.#levels = [image];
  }

  /** The highest level not above `wanted` that the image is large enough for, with its number. */
  level(wanted: number): { image: RgbImage; number: number } {
    let last = this.#levels.length - 1;
    while (last < wanted) {
      const finest = this.#levels[last] as RgbImage;
      if (finest.width >> 1 < SMALLEST_SIDE || finest.height >> 1 < SMALLEST_SIDE) break;
      this.#levels.push(halveImage(finest));
      last += 1;
    }
    const number = Math.min(wanted, last);
    return { image: this.#levels[number] as RgbImage, number };
  }
}

const pyramids = new WeakMap<RgbImage, ImagePyramid>();

/** The pyramid of an image, kept as long as the image object lives: its pixels must not change any more. */
export function pyramidOf(image: RgbImage): ImagePyramid {
  let pyramid = pyramids.get(image);
  if (!pyramid) {
    pyramid = new ImagePyramid(image);
    pyramids.set(image, pyramid);
  }
  return pyramid;
}

/** A new image of `floor(width / 2)` x `floor(height / 2)`: each pixel the rounded mean of a 2 x 2 block. */
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
