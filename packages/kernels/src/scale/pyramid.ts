import type { RgbImage } from '../image.ts';
import { isInKernelMemory } from '../wasm/memory.ts';
import { ordinaryPlanes, type PlaneMaker } from '../workspace.ts';
import { halveImage } from './halve-image.ts';

/** Smallest side of a level, pixels. A smaller level would show nothing. */
const SMALLEST_SIDE = 2;

/**
 * An image and its half-size copies, each made on first use. Crops and downscales read the level
 * that is just fine enough, so that a small crop of a 100-megapixel photo is antialiased without
 * reading every pixel again.
 *
 * Level k is `2^k` times smaller. Each pixel is the rounded mean of 2 x 2 pixels of the level
 * before. An odd last row or column is left out, so edge-based coordinates of level k are exactly
 * those of the image divided by `2^k`.
 */
export class ImagePyramid {
  readonly image: RgbImage;
  readonly #levels: RgbImage[];
  readonly #make: PlaneMaker;

  /** @param make allocates the copies, which must last as long as the pyramid is read */
  constructor(image: RgbImage, make: PlaneMaker = ordinaryPlanes) {
    this.image = image;
    this.#make = make;
    this.#levels = [image];
  }

  /**
   * Returns the highest level up to `wanted` for which the image is large enough, and its number.
   */
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

  /** Releases the memory of all levels; see `releaseImage`. */
  release(): void {
    for (const { data } of this.#levels) releaseBytes(data);
  }
}

const pyramids = new WeakMap<RgbImage, ImagePyramid>();

/**
 * Returns the pyramid of an image, which is kept as long as the image object. The image's pixels
 * must not change after the call.
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
 * Releases the memory of an image and of its half-size copies immediately. Afterwards they have no
 * pixels, so the caller must be their only user. Without this call, V8 would keep the pictures
 * until its next full garbage collection, and would run such collections more often.
 */
export function releaseImage(image: RgbImage): void {
  pyramidOf(image).release();
}

/**
 * Smallest size of a buffer that certainly has its own memory. Node cuts smaller ones from a shared
 * buffer.
 */
const MIN_OWN_BYTES = 1 << 14;

function releaseBytes(data: Uint8Array): void {
  if (data.byteLength < MIN_OWN_BYTES || isInKernelMemory(data)) return;
  (data.buffer as ArrayBuffer).transfer(0);
}
