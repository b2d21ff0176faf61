import type { Provider } from '@guise/contract/engines.ts';
import { SESSION_OPTIONS } from '../models/model.ts';
import { InferenceSession, Tensor } from '../models/onnx-runtime.ts';
import { networkError } from './out-of-memory.ts';
import { TARGET_INPUT } from './recognise.ts';

/** Values of one input, float32, and their shape. */
export interface GraphInput {
  readonly data: Float32Array;
  readonly shape: readonly number[];
}

/** An open network of an operator. Runs must not overlap. */
export class Graph {
  readonly #session: InferenceSession;

  private constructor(session: InferenceSession) {
    this.#session = session;
  }

  /**
   * Opens an ONNX file. Rejects with onnxruntime's error if it cannot be used, or with
   * NetworkOutOfMemory.
   * @param providers what it computes on: the first that can do a step does it
   */
  static async open(file: string, providers: readonly Provider[] = ['cpu']): Promise<Graph> {
    const options = { ...SESSION_OPTIONS, executionProviders: [...providers] };
    return new Graph(await InferenceSession.create(file, options).catch(throwNetworkError));
  }

  /** Names of the inputs, in the file's order. */
  get inputNames(): readonly string[] {
    return this.#session.inputNames;
  }

  /** Name of the input for the face to change: of two pictures, the one that is called so. */
  get targetInput(): string {
    const { inputMetadata } = this.#session;
    const target =
      inputMetadata.find(({ name }) => name === TARGET_INPUT) ??
      inputMetadata.find((each) => each.isTensor && each.shape.length === 4);
    return target!.name;
  }

  /** Whether the network takes several pictures at once. */
  get takesBatches(): boolean {
    const { inputMetadata } = this.#session;
    return inputMetadata.every((each) => each.isTensor && typeof each.shape[0] !== 'number');
  }

  /**
   * Runs the network. An input that is not given, such as the weight of CodeFormer, is 0.5.
   * @returns the first output
   * @throws Error if it has not `length` values; NetworkOutOfMemory
   */
  async run(inputs: Readonly<Record<string, GraphInput>>, length: number): Promise<Float32Array> {
    const feeds: Record<string, Tensor> = {};
    for (const name of this.inputNames) {
      const given = inputs[name];
      feeds[name] = given
        ? new Tensor('float32', given.data, given.shape)
        : new Tensor('float64', [DEFAULT_WEIGHT], [1]);
    }
    const [output] = this.#session.outputNames;
    const outputs = await this.#session.run(feeds, [output!]).catch(throwNetworkError);
    const { data } = outputs[output!]!;
    if (!(data instanceof Float32Array) || data.length !== length)
      throw new Error(`The network gives ${data.length} values instead of ${length}.`);
    return data;
  }

  /** Frees the network's memory. */
  close(): Promise<void> {
    return this.#session.release();
  }
}

function throwNetworkError(error: unknown): never {
  throw networkError(error);
}

/** Weight of a network that can be told how much to change. */
const DEFAULT_WEIGHT = 0.5;
