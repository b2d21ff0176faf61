/**
 * The engine process: forked by `fork-engine.ts` with the model folder, `warm` or `cold`, and the PEM files to sign
 * with as its arguments. It opens files that strangers sent, so it knows no database, no API key and no network; whoever
 * hangs or crashes it loses this process and no other.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import path from 'node:path';
import { TaskFailure } from '@guise/contract/errors.ts';
import { createEngine } from '@guise/engine/pipeline/engine.ts';
import type { SeenSource } from '@guise/engine/pipeline/source-photos.ts';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { loadSigningIdentity } from '@guise/media/provenance/signing-identity.ts';
import type { MessageFromEngine, MessageToEngine, OnProgress } from './engine-job.ts';
import type { JobTools } from './job-tools.ts';
import { KeptImage } from './kept-image.ts';
import { runJob } from './run-job.ts';
import { warmUpDir } from './warm-up-dir.ts';

const WARM_UP_MS = 1000;

const [, , modelCacheDir, temperature, certificatePath, keyPath] = process.argv;
if (!modelCacheDir || !certificatePath || !keyPath || process.send === undefined) {
  throw new Error('the engine process is started by a worker');
}

// A terminal's Ctrl-C reaches the whole process group, but it is the worker that decides when this process ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit());

/** By the job's id: one that is worked on, and one that is written. */
const current = new Map<
  number,
  { readonly abort: AbortController; readonly seenSource: PromiseWithResolvers<SeenSource | null> }
>();

const [engine, identity] = await Promise.all([
  createEngine({ modelCacheDir }),
  loadSigningIdentity({ certificatePath, keyPath }),
]);
const tools = { engine, identity, kept: new KeptImage() };
if (temperature === 'warm') await warmUp(tools, modelCacheDir);
process.on('message', (message: MessageToEngine) => {
  if (message.type === 'abort') {
    current.get(message.jobId)?.abort.abort();
    return;
  }
  if (message.type === 'seen-source') {
    current.get(message.jobId)?.seenSource.resolve(message.seen);
    return;
  }
  void perform(message);
});
send({ type: 'ready', engine: { name: engine.name, version: engine.version } });
// This process ends by SIGKILL and would never write it otherwise.
flushCompileCache();

async function perform({
  jobId,
  job,
  isToldSource,
}: Extract<MessageToEngine, { type: 'job' }>): Promise<void> {
  const abort = new AbortController();
  const seenSource = Promise.withResolvers<SeenSource | null>();
  current.set(jobId, { abort, seenSource });
  const onProgress: OnProgress = (progress, frames) =>
    send({ type: 'progress', jobId, progress, ...(frames === undefined ? {} : { frames }) });
  let answer: MessageFromEngine;
  try {
    answer = {
      type: 'done',
      jobId,
      outcome: await runJob(tools, job, {
        signal: abort.signal,
        onProgress,
        onWriting: () => send({ type: 'writing', jobId }),
        onSeen: (seen) => send({ type: 'seen-source', jobId, seen }),
        ...(isToldSource ? { seenSource: seenSource.promise } : {}),
      }),
    };
  } catch (error) {
    const failure =
      error instanceof TaskFailure
        ? error
        : new TaskFailure('INTERNAL_ERROR', 'The engine failed on this request.', error);
    answer = { type: 'failed', jobId, code: failure.code, message: failure.message, detail: detailOf(error) };
  }
  current.delete(jobId);
  send(answer);
}

/**
 * Whole jobs on the samples: compiles the code paths and lays out the models' memory, so that no client waits for it. Each
 * pass is faster than the one before; the limit is what a restart may cost.
 */
async function warmUp(warming: JobTools, cacheDir: string): Promise<void> {
  const endMs = performance.now() + WARM_UP_MS;
  const dir = warmUpDir(cacheDir, process.pid);
  const [sourcePath, targetPath] = [path.join(dir, 'face.jpg'), path.join(dir, 'body.jpg')];
  try {
    const { face, body } = await readSampleFaces();
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await Promise.all([writeFile(sourcePath, face), writeFile(targetPath, body)]);
    do {
      await runJob(
        warming,
        {
          kind: 'swap-image',
          sourcePath,
          targetPath,
          outputPath: path.join(dir, 'out.jpg'),
          restore: { faceRestoreVisibility: 1, restoreVisibility: 1 },
          maxPixels: 10_000_000,
        },
        { signal: new AbortController().signal, onProgress: () => {} },
      );
    } while (performance.now() < endMs);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function send(message: MessageFromEngine): void {
  // The parent may be gone between two messages; `disconnect` then ends this process.
  if (process.connected) process.send?.(message);
}

function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${detailOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
