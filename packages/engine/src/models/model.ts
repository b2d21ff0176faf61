import { Workspace } from '@guise/kernels/workspace.ts';
import { InferenceSession, Tensor } from './onnx-runtime.ts';

/** Input buffers kept for reuse; beyond these the least recently used shape's buffer is dropped. */
const KEPT_INPUTS = 4;
/** Larger ones serve a single look over a group: 20 MB that are not wanted again soon. */
const KEPT_INPUT_VALUES = 3 * 512 * 512;

/** One thread, and none that waits spinning: the engine runs in several processes, each with a core of its own. */
const SESSION_OPTIONS: InferenceSession.SessionOptions = {
  executionProviders: ['cpu'],
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  logSeverityLevel: 3,
  extra: {
    session: {
      intra_op: { allow_spinning: '0' },
      // An arena doubles itself for the weights that it is given once, and keeps 40 MB more than it needs.
      use_device_allocator_for_initializers: '1',
    },
  },
};

/** A model's results by output name, float32. Overwritten by the next run: copy what must last. */
export type ModelOutputs = Readonly<Record<string, Float32Array>>;

/** An opened network with one float32 image input called `input`. Runs are queued, never interleaved. */
export class Model {
  readonly #session: InferenceSession;
  /** Reused output tensors; empty where the outputs' size depends on the input's. */
  readonly #outputs: Record<string, Tensor> = {};
  /** By height and width; the last is the most recently used. In the kernels' memory, where pictures are cut out by kernels. */
  readonly #inputs = new Map<string, { readonly tensor: Tensor; readonly space: Workspace }>();
  #queue: Promise<unknown> = Promise.resolve();

  private constructor(session: InferenceSession) {
    this.#session = session;
    for (const { name, shape } of session.outputMetadata.filter((meta) => meta.isTensor)) {
      if (!shape.every((size) => typeof size === 'number')) continue;
      const count = shape.reduce((result, size) => result * size, 1);
      this.#outputs[name] = new Tensor('float32', new Float32Array(count), shape);
    }
  }

  /**
   * @param network an ONNX file's path, or its bytes
   * @param keepsMemory what a run works in is kept for the next one: a block of a megabyte that came and went with every frame
   * left the heap full of holes. Not for a network of any input size, which would keep what its largest run took.
   */
  static async open(
    network: string | Buffer,
    { keepsMemory = true }: { readonly keepsMemory?: boolean } = {},
  ): Promise<Model> {
    const options = { ...SESSION_OPTIONS, enableCpuMemArena: keepsMemory };
    const session =
      typeof network === 'string'
        ? await InferenceSession.create(network, options)
        : await InferenceSession.create(network, options);
    return new Model(session);
  }

  /**
   * Runs the network on a `height` x `width` picture: `fill` writes the 3 * height * width input values (the buffer
   * still holds those of an earlier run), `read` takes what it needs from the outputs. Both run when earlier runs
   * have ended; neither may be asynchronous.
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
    const shape = [1, 3, height, width];
    const count = 3 * height * width;
    if (count > KEPT_INPUT_VALUES) return new Tensor('float32', new Float32Array(count), shape);
    const key = `${height} ${width}`;
    let input = this.#inputs.get(key);
    if (input) {
      this.#inputs.delete(key);
    } else {
      const space = new Workspace();
      input = { tensor: new Tensor('float32', space.unset(count), shape), space };
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
