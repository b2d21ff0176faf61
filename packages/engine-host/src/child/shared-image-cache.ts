import type { Face } from '@guise/engine/face/geometry/face.ts';
import type { DecodedImage } from '@guise/media/image/decode.ts';

/** A decoded image, perhaps with its faces. */
export interface LoadedImage {
  readonly image: DecodedImage;
  /** Faces of the image; absent if they have not been detected yet. */
  readonly faces?: readonly Face[];
}

/**
 * Time after its last use at which an image is forgotten. The next item of a batch comes sooner,
 * and a client's image stays in memory no longer than it has to.
 */
const LIFETIME_MS = 5000;

/**
 * Holds the one image that the items of a batch share, so that it is decoded and analysed once per
 * engine and not once per item.
 */
export class SharedImageCache {
  #path: string | null = null;
  #image: LoadedImage | null = null;
  #timer: NodeJS.Timeout | undefined;

  /**
   * Returns the image held under `path`, or loads it and holds it instead of the one before.
   * @param path names the content, since a stored file never changes
   */
  async get(path: string, load: () => Promise<LoadedImage>): Promise<LoadedImage> {
    if (this.#path === path && this.#image !== null) {
      this.#timer?.refresh();
      return this.#image;
    }
    // Before loading, so that two images are never in memory at once.
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
