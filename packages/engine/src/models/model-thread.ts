import { getCompileCacheDir } from 'node:module';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ModelOutputs } from './model.ts';
import type { ThreadData, ThreadReply, ThreadRequest } from './model-thread-main.ts';

/**
 * A thread does not use our cache of compiled code by itself: it would load the compiler that takes the types out of TypeScript,
 * 12 MB and 30 ms.
 */
const START = `
  const [, , file, cacheDir] = process.argv;
  const { enableCompileCache, flushCompileCache } = require('node:module');
  if (cacheDir) enableCompileCache(cacheDir);
  import(file).then(() => flushCompileCache());
`;

/**
 * A network on a thread of its own: `Model.run` holds up the thread that calls it, this one's caller can do other things
 * meanwhile. It costs a JavaScript heap and another copy of the weights until it is closed.
 */
export class ModelThread {
  readonly #thread: Worker;
  /** Both threads see it: nothing is sent with a request. */
  readonly #input: Float32Array<SharedArrayBuffer>;
  readonly #ended = Promise.withResolvers<void>();
  #isReady = false;
  #waiting: PromiseWithResolvers<ModelOutputs> | null = null;

  /** @param side of its square pictures */
  constructor(file: string, side: number) {
    this.#input = new Float32Array(new SharedArrayBuffer(3 * side * side * Float32Array.BYTES_PER_ELEMENT));
    const workerData: ThreadData = { file, side, input: this.#input };
    const main = new URL('model-thread-main.ts', import.meta.url).href;
    const ourCache = getCompileCacheDir();
    // It ends in a folder for this version of Node, which is added by itself.
    const cache = ourCache === undefined ? [] : [path.dirname(ourCache)];
    this.#thread = new Worker(START, { eval: true, argv: [main, ...cache], workerData });
    this.#thread.on('message', (reply: ThreadReply) => {
      if (reply === 'ready') this.#isReady = true;
      else this.#waiting?.resolve(reply);
    });
    // Nobody asks a thread that is not ready, so that whoever is not waiting now need not hear of it.
    this.#thread.on('error', (error) => {
      this.#isReady = false;
      this.#waiting?.reject(error);
    });
    this.#thread.on('exit', () => this.#ended.resolve());
  }

  /** Whether it can be asked: not while it starts, and not any more once it has failed. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** As `Model.run`; `fill` is called at once. One run is to have ended before the next begins. */
  async run<Result>(
    fill: (input: Float32Array) => void,
    read: (outputs: ModelOutputs) => Result,
  ): Promise<Result> {
    if (!this.#isReady || this.#waiting !== null) throw new Error('The network was asked before its turn.');
    fill(this.#input);
    this.#waiting = Promise.withResolvers();
    this.#ask('run');
    try {
      return read(await this.#waiting.promise);
    } finally {
      this.#waiting = null;
    }
  }

  /** Ends the thread, after a run that is under way. Resolves when its memory is given back. */
  close(): Promise<void> {
    this.#isReady = false;
    this.#ask('close');
    return this.#ended.promise;
  }

  #ask(request: ThreadRequest): void {
    this.#thread.postMessage(request, []);
  }
}
