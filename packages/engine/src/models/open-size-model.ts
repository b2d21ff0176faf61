import { readFile } from 'node:fs/promises';
import { fixInputSize } from './fix-input-size.ts';
import { Model } from './model.ts';
import type { ModelOutputs } from './model.ts';

/** Whatever runs a network on pictures: see `Model`. */
export type Network = Pick<Model, 'run'>;

/** Opening a network once more takes as much as it saves in so many runs. */
const OFTEN = 12;
/**
 * Sizes that have a network of their own: 1 to 4 MB each. Larger ones, looks for small faces, have
 * none.
 */
const MOST_SIZES = 4;
const MOST_PIXELS = 256 * 256;

/**
 * A network whose input's height and width are open. onnxruntime does not see that its planes are
 * as large as each other then, and copies 2 MB of them at a time: a fifth of what a run takes. So a
 * size that is asked for often gets a network of that size alone, which gives the same to the bit.
 */
export class OpenSizeModel implements Network {
  /** The same, in no more memory however often it is asked: videos have none to spare. */
  readonly open: Network;
  readonly #file: string;
  readonly #open: Model;
  /** By height and width. */
  readonly #runs = new Map<string, number>();
  readonly #ofSize = new Map<string, Promise<Model>>();

  private constructor(file: string, open: Model) {
    this.open = open;
    this.#file = file;
    this.#open = open;
  }

  static async open(file: string): Promise<OpenSizeModel> {
    return new OpenSizeModel(file, await Model.open(file, { keepsMemory: false }));
  }

  /** See `Model.run`. */
  async run<Result>(
    height: number,
    width: number,
    fill: (input: Float32Array) => void,
    read: (outputs: ModelOutputs) => Result,
  ): Promise<Result> {
    const model = await this.#modelFor(height, width);
    return model.run(height, width, fill, read);
  }

  /** Frees the networks' memory once the queued runs have ended. */
  async close(): Promise<void> {
    await Promise.all([this.#open, ...this.#ofSize.values()].map(async (model) => (await model).close()));
  }

  #modelFor(height: number, width: number): Model | Promise<Model> {
    const size = `${height} ${width}`;
    const known = this.#ofSize.get(size);
    if (known) return known;
    if (this.#ofSize.size === MOST_SIZES || height * width > MOST_PIXELS) return this.#open;
    const runs = (this.#runs.get(size) ?? 0) + 1;
    this.#runs.set(size, runs);
    if (runs < OFTEN) return this.#open;
    const opened = this.#openOfSize(size, height, width);
    this.#ofSize.set(size, opened);
    return opened;
  }

  /** Rejects where the file cannot be read or opened now; whoever asks next tries anew. */
  async #openOfSize(size: string, height: number, width: number): Promise<Model> {
    try {
      return await Model.open(fixInputSize(await readFile(this.#file), height, width));
    } catch (error) {
      this.#ofSize.delete(size);
      throw error;
    }
  }
}
