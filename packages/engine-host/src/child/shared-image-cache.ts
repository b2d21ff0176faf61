import type { Face } from '@guise/engine/face/geometry/face.ts';
import type { DecodedImage } from '@guise/media/image/decode.ts';

/** A decoded image, with its faces if they have been detected. */
export interface LoadedImage {
  readonly image: DecodedImage;
  /** Faces of the image; absent if they have not been detected yet. */
  readonly faces?: readonly Face[];
}

/**
 * Time after its last use when an image is dropped. The next item of a batch comes sooner, and a
 * client's image must not stay in memory longer than needed.
 */
const LIFETIME_MS = 5000;

/**
 * Holds the one image that the items of a batch share, so that each engine decodes and analyses it
 * once instead of once per item.
 */
export class SharedImageCache {
  #path: string | null = null;
  #image: LoadedImage | null = null;
  #timer: NodeJS.Timeout | undefined;

  /**
   * Returns the image of `path`. If another image is held, loads this one and holds it instead.
   * @param path path of a stored file; it identifies the content, because a stored file never
   * changes
   */
  async get(path: string, load: () => Promise<LoadedImage>): Promise<LoadedImage> {
    if (this.#path === path && this.#image !== null) {
      this.#timer?.refresh();
      return this.#image;
    }
    // The old image is dropped first, so that two images are never in memory at once.
    this.forget();
    const image = await load();
    this.#path = path;
    this.#image = image;
    this.#timer = setTimeout(() => this.forget(), LIFETIME_MS).unref();
    return image;
  }

  forget(): void {
    clearTimeout(this.#timer);
    this.#path = null;
    this.#image = null;
  }
}
