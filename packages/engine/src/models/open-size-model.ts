import { readFile } from 'node:fs/promises';
import { fixInputSize } from './fix-input-size.ts';
import { Model } from './model.ts';
import type { ModelOutputs } from './model.ts';

/** Runs a network on pictures; see `Model`. */
export type Network = Pick<Model, 'run'>;

/** Largest number of sizes whose network stays open, which takes 1 to 4 MB each. */
const MAX_KEPT_NETWORKS = 4;

/**
 * Largest number of pixels of a size whose network stays open. Larger inputs, which search for
 * small faces, are rare and need up to 100 MB.
 */
const MAX_KEPT_PIXELS = 256 * 256;

/**
 * A network whose input's height and width are open. Each size gets its own network, with exactly
 * the same results: onnxruntime then plans the memory of a run in advance, which makes the search
 * for small faces three times as fast. The networks of small inputs stay open, the others are
 * closed after their run.
 */
export class OpenSizeModel implements Network {
  readonly #bytes: Buffer;
  /** Open networks by height and width, the most recently used last. */
  readonly #kept = new Map<string, Promise<Model>>();

  private constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** @throws if the file cannot be read */
  static async open(file: string): Promise<OpenSizeModel> {
    return new OpenSizeModel(await readFile(file));
  }

  /** See `Model.run`. */
  async run<Result>(
    height: number,
    width: number,
    fill: (input: Float32Array) => void,
    read: (outputs: ModelOutputs) => Result,
  ): Promise<Result> {
    if (height * width <= MAX_KEPT_PIXELS)
      return (await this.#keep(height, width)).run(height, width, fill, read);
    const once = await this.#open(height, width);
    try {
      return await once.run(height, width, fill, read);
    } finally {
      await once.close();
    }
  }

  /** Frees the networks' memory once the queued runs have ended. */
  async close(): Promise<void> {
    await Promise.all([...this.#kept.values()].map(async (model) => (await model).close()));
  }

  async #open(height: number, width: number): Promise<Model> {
    return Model.open(fixInputSize(this.#bytes, height, width));
  }

  /** Returns the open network of a size. Closes the least recently used one beyond the limit. */
  #keep(height: number, width: number): Promise<Model> {
    const size = `${height} ${width}`;
    let model = this.#kept.get(size);
    if (model === undefined) {
      model = this.#open(height, width);
      // If it cannot be opened, the next call tries again.
      model.catch(() => this.#kept.delete(size));
    }
    this.#kept.delete(size);
    this.#kept.set(size, model);
    if (this.#kept.size > MAX_KEPT_NETWORKS) {
      const [oldest, dropped] = this.#kept.entries().next().value!;
      this.#kept.delete(oldest);
      void dropped.then(
        (each) => each.close(),
        () => {},
      );
    }
    return model;
  }
}
