import { Worker } from 'node:worker_threads';
import { MediaError } from '../media-error.ts';
import { compileC2pa } from './c2pa-module.ts';
import type { CredentialsFile, CredentialsReply } from './read-credentials-thread.ts';

/** The thread's own JavaScript, in MiB; the memory of c2pa-wasm has its own bound. */
const MAX_HEAP_MIB = 256;

/** c2pa-wasm could not do it; the message is its own and not for the public. */
export class C2paError extends Error {
  override readonly name = 'C2paError';
}

/**
 * c2pa-wasm's report on a file's credentials, as JSON, made in a thread that ends with it.
 * @throws C2paError with c2pa-wasm's reason; MediaError TIMEOUT
 */
export async function readCredentials(file: CredentialsFile, timeoutMs: number): Promise<string> {
  const worker = new Worker(new URL('./read-credentials-thread.ts', import.meta.url), {
    workerData: { module: await compileC2pa(), file },
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
    // What c2pa-wasm prints when it fails is in the reason.
    stderr: true,
    stdout: true,
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    const reply = await new Promise<CredentialsReply>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', (cause) => reject(new C2paError('The thread failed.', { cause })));
      worker.once('exit', () => reject(new C2paError('The thread ended without an answer.')));
      const late = new MediaError('TIMEOUT', 'The content credentials took too long to process.');
      timer = setTimeout(() => reject(late), timeoutMs);
    });
    if (!reply.ok) throw new C2paError(reply.reason);
    return reply.report;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
