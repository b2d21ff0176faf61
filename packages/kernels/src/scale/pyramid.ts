import type { RgbImage } from '../image.ts';
import { isInKernelMemory } from '../wasm/memory.ts';
import { ordinaryPlanes, type PlaneMaker } from '../workspace.ts';
import { halveImage } from './halve-image.ts';

/** Below this side a level would no longer show anything. */
const SMALLEST_SIDE = 2;

/**
 * An image and its half-size copies, each built on first use: crops and downscales read the level
 * that is just fine enough, so that a small crop of a 100-megapixel photo is antialiased without
 * touching every pixel again.
 *
 * Level k is `2^k` times smaller; every pixel is the rounded mean of 2 x 2 pixels of the level
 * before. An odd last row or column is left out, so edge-based coordinates of level k are those of
 * the image divided by `2^k`, exactly.
 */
export class ImagePyramid {
  readonly image: RgbImage;
  readonly #levels: RgbImage[];
  readonly #make: PlaneMaker;

  /** @param make of the copies' memory, which must last as long as the pyramid is read */
  constructor(image: RgbImage, make: PlaneMaker = ordinaryPlanes) {
    this.image = image;
    this.#make = make;
    this.#levels = [image];
  }

  /** The highest level not above `wanted` that the image is large enough for, with its number. */
  level(wanted: number): { image: RgbImage; number: number } {
    let last = this.#levels.length - 1;
    while (last < wanted) {
      const finest = this.#levels[last] as RgbImage;
      if (finest.width >> 1 < SMALLEST_SIDE || finest.height >> 1 < SMALLEST_SIDE) break;
      this.#levels.push(halveImage(finest, this.#make));
      last += 1;
    }
    const number = Math.min(wanted, last);
    return { image: this.#levels[number] as RgbImage, number };
  }

  /** See `releaseImage`. */
  release(): void {
    for (const { data } of this.#levels) releaseBytes(data);
  }
}

const pyramids = new WeakMap<RgbImage, ImagePyramid>();

/**
 * The pyramid of an image, kept as long as the image object lives: its pixels must not change any
 * more.
 */
export function pyramidOf(image: RgbImage): ImagePyramid {
  let pyramid = pyramids.get(image);
  if (!pyramid) {
    pyramid = new ImagePyramid(image);
    pyramids.set(image, pyramid);
  }
  return pyramid;
}

/**
 * Gives the memory of an image and of its half-size copies back at once; their pixels are gone, so
 * this is for who has the image to itself and is done with it. Left to V8, pictures wait until it
 * marks its whole heap, and it marks the sooner the more bytes of them wait.
 */
export function releaseImage(image: RgbImage): void {
  pyramidOf(image).release();
}

/** Node cuts smaller buffers than this out of one that others have their part of. */
const LEAST_OWN_BYTES = 1 << 14;

function releaseBytes(data: Uint8Array): void {
  if (data.byteLength < LEAST_OWN_BYTES || isInKernelMemory(data)) return;
  (data.buffer as ArrayBuffer).transfer(0);
}
