import { readFile } from 'node:fs/promises';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { damaged, MediaError } from '../media-error.ts';
import type { HeifJob, HeifReply } from './heif-thread.ts';

/** Pixels of a decoded still. */
export type HeifPixels = Omit<Extract<HeifReply, { ok: true }>, 'ok'>;

/**
 * Addresses of the code that a thread runs: files, or `data:` URLs that contain all of the code.
 */
interface DecoderCode {
  readonly thread: URL;
  readonly libheif: URL;
}

/** Limit of the thread's JavaScript heap, which excludes pixels and WebAssembly memory. */
const THREAD_HEAP_MEBIBYTES = 128;

const { resolve } = createRequire(import.meta.url);
/** Addresses of the decoder's code on disk. */
const CODE_ON_DISK: DecoderCode = {
  thread: new URL('heif-thread.ts', import.meta.url),
  libheif: pathToFileURL(resolve('libheif-js/libheif-wasm/libheif-bundle.mjs')),
};
let code = CODE_ON_DISK;

/**
 * Reads the decoder's code into memory (3 MB), for a process that will soon be unable to read its
 * own files.
 */
export async function preloadHeifDecoder(): Promise<void> {
  const [thread, libheif] = await Promise.all([
    readFile(CODE_ON_DISK.thread, 'utf8'),
    readFile(CODE_ON_DISK.libheif, 'utf8'),
  ]);
  code = { thread: dataUrl(stripTypeScriptTypes(thread)), libheif: dataUrl(libheif) };
}

function dataUrl(javaScript: string): URL {
  return new URL(`data:text/javascript;base64,${Buffer.from(javaScript).toString('base64')}`);
}

/**
 * Decodes a HEVC still (HEIC, HEIF) in its own thread, to upright 8-bit pixels without colour
 * conversion.
 * @throws MediaError DAMAGED or TIMEOUT
 */
export function decodeHeif(job: HeifJob, timeoutMs: number): Promise<HeifPixels> {
  const { promise, resolve, reject } = Promise.withResolvers<HeifPixels>();
  const thread = new Worker(code.thread, {
    workerData: { job, libheifUrl: code.libheif.href },
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
