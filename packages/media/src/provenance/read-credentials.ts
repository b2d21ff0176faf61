import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { MediaError } from '../media-error.ts';
import { compileC2pa } from './c2pa-module.ts';
import type { CredentialsFile, CredentialsReply } from './read-credentials-thread.ts';

/** Largest JavaScript heap of the thread. The memory of c2pa-wasm has its own limit. */
const MAX_HEAP_MIB = 256;

/** A failure of c2pa-wasm or its thread. The message is not meant for clients. */
export class C2paError extends Error {
  override readonly name = 'C2paError';
}

/**
 * A thread that reads the credentials of one file with c2pa-wasm and then ends. After its start it
 * reads nothing else from the disk.
 */
export class CredentialsThread {
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  /**
   * Starts a thread and waits until its code is loaded.
   * @throws C2paError if the thread cannot start
   */
  static async start(): Promise<CredentialsThread> {
    const worker = new Worker(new URL('./read-credentials-thread.ts', import.meta.url), {
      workerData: { module: await compileC2pa() },
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
      // Hides the failures that c2pa-wasm prints, because the reply's reason holds the same text.
      stderr: true,
      stdout: true,
    });
    try {
      // The first message reports that all code is loaded.
      await once(worker, 'message');
    } catch (cause) {
      throw new C2paError('The thread failed.', { cause });
    }
    return new CredentialsThread(worker);
  }

  /**
   * Returns c2pa-wasm's report on the file's credentials, as JSON.
   * @throws C2paError with c2pa-wasm's reason; MediaError TIMEOUT
   */
  async read(file: CredentialsFile, timeoutMs: number): Promise<string> {
    let timer: NodeJS.Timeout | undefined;
    try {
      const reply = await new Promise<CredentialsReply>((resolve, reject) => {
        this.#worker.once('message', resolve);
        this.#worker.once('error', (cause) => reject(new C2paError('The thread failed.', { cause })));
        this.#worker.once('exit', () => reject(new C2paError('The thread ended without an answer.')));
        const late = new MediaError('TIMEOUT', 'The content credentials took too long to process.');
        timer = setTimeout(() => reject(late), timeoutMs);
        this.#worker.postMessage(file, []);
      });
      if (!reply.ok) throw new C2paError(reply.reason);
      return reply.report;
    } finally {
      clearTimeout(timer);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}
