import { Workspace } from '@guise/kernels/workspace.ts';
import { InferenceSession, Tensor } from './onnx-runtime.ts';

/**
 * Largest number of input buffers that are kept for reuse. Beyond it, the least recently used is
 * dropped.
 */
const KEPT_INPUTS = 4;
/**
 * Largest length of an input buffer that is kept. Larger ones serve a single search over a group
 * photo, and would hold 20 MB in vain.
 */
const KEPT_INPUT_VALUES = 3 * 512 * 512;

/**
 * Options of every session: one thread and no spinning, because several engine processes run with
 * one core each.
 */
export const SESSION_OPTIONS: InferenceSession.SessionOptions = {
  executionProviders: ['cpu'],
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  // Working memory stays for the next run: a new block of a megabyte per frame fragments the heap.
  enableCpuMemArena: true,
  graphOptimizationLevel: 'all',
  logSeverityLevel: 3,
  extra: {
    session: {
      intra_op: { allow_spinning: '0' },
      // An arena would double for the weights, which are loaded once, and keep 40 MB more than
      // needed.
      use_device_allocator_for_initializers: '1',
    },
  },
};

/** Results by output name, float32. The next run overwrites them, so copy what must be kept. */
export type ModelOutputs = Readonly<Record<string, Float32Array>>;

/**
 * An open network with one float32 image input called `input`, 1 x channels x height x width. Runs
 * are queued and never overlap.
 */
export class Model {
  readonly #session: InferenceSession;
  /** Planes of the input: 3 for colours, 4 if the network asks for one more. */
  readonly #channels: number;
  /** Output tensors that are reused. Empty if the outputs' size depends on the input's. */
  readonly #outputs: Record<string, Tensor> = {};
  /**
   * Input buffers by height and width, the most recently used last. They are in the kernels'
   * memory, because kernels write the pictures into them.
   */
  readonly #inputs = new Map<string, { readonly tensor: Tensor; readonly space: Workspace }>();
  #queue: Promise<unknown> = Promise.resolve();

  private constructor(session: InferenceSession) {
    this.#session = session;
    const [input] = session.inputMetadata;
    this.#channels = input?.isTensor ? Number(input.shape[1]) : 3;
    for (const { name, shape } of session.outputMetadata.filter((meta) => meta.isTensor)) {
      if (!shape.every((size) => typeof size === 'number')) continue;
      const count = shape.reduce((result, size) => result * size, 1);
      this.#outputs[name] = new Tensor('float32', new Float32Array(count), shape);
    }
  }

  /**
   * Opens a network.
   * @param network path or bytes of an ONNX file
   */
  static async open(network: string | Buffer): Promise<Model> {
    const session =
      typeof network === 'string'
        ? await InferenceSession.create(network, SESSION_OPTIONS)
        : await InferenceSession.create(network, SESSION_OPTIONS);
    return new Model(session);
  }

  /**
   * Runs the network on a `height` x `width` picture. Both callbacks run when earlier runs have
   * ended, and must be synchronous.
   * @param fill writes the channels * height * width input values over those of an earlier run
   * @param read takes what it needs from the outputs
   */
  run<Result>(
    height: number,
    width: number,
    fill: (input: Float32Array) => void,
    read: (outputs: ModelOutputs) => Result,
  ): Promise<Result> {
    const result = this.#queue.then(() => this.#runNow(height, width, fill, read));
    this.#queue = result.catch(() => undefined);
    return result;
  }

  /** Frees the network's memory once the queued runs have ended. */
  async close(): Promise<void> {
    await this.#queue;
    for (const key of this.#inputs.keys()) this.#forget(key);
    await this.#session.release();
  }

  async #runNow<Result>(
    height: number,
    width: number,
    fill: (input: Float32Array) => void,
    read: (outputs: ModelOutputs) => Result,
  ): Promise<Result> {
    const input = this.#input(height, width);
    fill(input.data as Float32Array);
    const fetches = this.#session.outputNames.every((name) => name in this.#outputs) ? this.#outputs : null;
    const results = fetches
      ? await this.#session.run({ input }, fetches)
      : await this.#session.run({ input });
    const outputs: Record<string, Float32Array> = {};
    for (const name of this.#session.outputNames) outputs[name] = results[name]!.data as Float32Array;
    return read(outputs);
  }

  #input(height: number, width: number): Tensor {
    const shape = [1, this.#channels, height, width];
    const count = this.#channels * height * width;
    if (count > KEPT_INPUT_VALUES) return new Tensor('float32', new Float32Array(count), shape);
    const key = `${height} ${width}`;
    let input = this.#inputs.get(key);
    if (input) {
      this.#inputs.delete(key);
    } else {
      const space = new Workspace();
      input = { tensor: new Tensor('float32', space.uninitialised(count), shape), space };
    }
    this.#inputs.set(key, input);
    if (this.#inputs.size > KEPT_INPUTS) this.#forget(this.#inputs.keys().next().value!);
    return input.tensor;
  }

  #forget(key: string): void {
    this.#inputs.get(key)!.space.release();
    this.#inputs.delete(key);
  }
}
