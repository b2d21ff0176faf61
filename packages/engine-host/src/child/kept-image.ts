import type { Face } from '@guise/engine/face/geometry/face.ts';
import type { DecodedImage } from '@guise/media/image/decode.ts';

export interface LoadedImage {
  readonly image: DecodedImage;
  /** Where they were looked for already. */
  readonly faces?: readonly Face[];
}

/** The next item of the batch comes sooner; a client's picture stays in memory no longer than it has to. */
const LIFETIME_MS = 5000;

/** The one image that the items of a batch share: decoded and looked at once an engine, not once an item. */
export class KeptImage {
  #path: string | null = null;
  #image: LoadedImage | null = null;
  #timer: NodeJS.Timeout | undefined;

  /** @param path names the content: what is stored never changes. */
  async get(path: string, load: () => Promise<LoadedImage>): Promise<LoadedImage> {
    if (this.#path === path && this.#image !== null) {
      this.#timer?.refresh();
      return this.#image;
    }
    // First, so that two of them are never in memory at once.
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
