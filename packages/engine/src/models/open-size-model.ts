import { readFile } from 'node:fs/promises';
import { fixInputSize } from './fix-input-size.ts';
import { Model } from './model.ts';
import type { ModelOutputs } from './model.ts';

/** Runs a network on pictures; see `Model`. */
export type Network = Pick<Model, 'run'>;

/**
 * Number of runs at one size after which the size gets its own network. Opening one takes as long
 * as it saves in this many runs.
 */
const RUNS_BEFORE_OWN_NETWORK = 12;

/** Largest number of sizes with their own network, which takes 1 to 4 MB each. */
const MAX_OWN_NETWORKS = 4;

/**
 * Largest number of pixels of a kept size. Larger inputs, which search for small faces, are rare.
 */
const MAX_OWN_NETWORK_PIXELS = 256 * 256;

/**
 * A network whose input's height and width are open. Sizes that are used often get their own
 * network, with exactly the same results. Their own network saves a fifth of a run, in which
 * onnxruntime would copy planes because it cannot see that they have the same size.
 */
export class OpenSizeModel implements Network {
  /** Runs without opening a network for one size, because videos have no memory to spare. */
  readonly open: Network;
  readonly #file: string;
  readonly #open: Model;
  /** Number of runs, by height and width. */
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
    if (this.#ofSize.size === MAX_OWN_NETWORKS || height * width > MAX_OWN_NETWORK_PIXELS) return this.#open;
    const runs = (this.#runs.get(size) ?? 0) + 1;
    this.#runs.set(size, runs);
    if (runs < RUNS_BEFORE_OWN_NETWORK) return this.#open;
    const opened = this.#openOfSize(size, height, width);
    this.#ofSize.set(size, opened);
    return opened;
  }

  /** Rejects if the file cannot be read or opened. The next call tries again. */
  async #openOfSize(size: string, height: number, width: number): Promise<Model> {
    try {
      return await Model.open(fixInputSize(await readFile(this.#file), height, width));
    } catch (error) {
      this.#ofSize.delete(size);
      throw error;
    }
  }
}
