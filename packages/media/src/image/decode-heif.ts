import { Worker } from 'node:worker_threads';
import { damaged, MediaError } from '../media-error.ts';
import type { HeifJob, HeifReply } from './heif-thread.ts';

export type HeifPixels = Omit<Extract<HeifReply, { ok: true }>, 'ok'>;

/** The JavaScript heap of the thread; pixels and WebAssembly memory are not in it. */
const THREAD_HEAP_MEBIBYTES = 128;

/**
 * Decodes a HEVC still (HEIC, HEIF) in a thread of its own: upright 8-bit pixels as coded, no colour conversion.
 * @throws MediaError DAMAGED or TIMEOUT
 */
export function decodeHeif(job: HeifJob, timeoutMs: number): Promise<HeifPixels> {
  const { promise, resolve, reject } = Promise.withResolvers<HeifPixels>();
  const thread = new Worker(new URL('heif-thread.ts', import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MEBIBYTES },
    // libheif reports every damaged file on the console.
    stdout: true,
    stderr: true,
  });
  const timer = setTimeout(
    () => reject(new MediaError('TIMEOUT', 'Decoding the image took too long.')),
    timeoutMs,
  );
  thread.once('message', (reply: HeifReply) => {
    if (reply.ok) resolve(reply);
    else reject(damaged('HEIF', new Error(reply.reason)));
  });
  thread.once('error', (error) => reject(damaged('HEIF', error)));
  thread.once('exit', (code) => reject(damaged('HEIF', new Error(`the decoder ended with code ${code}`))));
  return promise.finally(async () => {
    clearTimeout(timer);
    await thread.terminate();
  });
}
