/**
 * Entry of the engine process. `fork-engine.ts` forks it with three arguments: the model folder,
 * `warm` or `cold`, and the user to become (JSON). The process opens untrusted files, so it knows
 * no database, no key and no secret. If guise runs as root, the process gives up its rights before
 * the first job.
 */
import { rm, writeFile } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import path from 'node:path';
import { TaskFailure } from '@guise/contract/errors.ts';
import { NetworkOutOfMemory } from '@guise/engine/networks/out-of-memory.ts';
import { createEngine, loadNetworkCode } from '@guise/engine/pipeline/engine.ts';
import type { SourceAnalysis } from '@guise/engine/pipeline/source-photos.ts';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { preloadHeifDecoder } from '@guise/media/image/decode-heif.ts';
import { giveUpRights, preferToDie } from '@guise/media/isolation/give-up-rights.ts';
import type { UnprivilegedUser } from '@guise/media/isolation/unprivileged-user.ts';
import type { ManifestSigner } from '@guise/media/provenance/manifest-signer.ts';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import { BLANK_SIGNER } from '../protocol/blank-signer.ts';
import type { MessageFromEngine, MessageToEngine, OnProgress } from '../protocol/engine-job.ts';
import { createJobTools, type JobTools } from './job-tools.ts';
import { runJob } from './run-job.ts';
import { WARM_UP_DIR } from '../protocol/warm-up-dir.ts';

/** Duration of the warm-up, if no job comes first. Each pass is faster than the one before. */
const WARM_UP_DURATION_MS = 1000;
/**
 * Score by which the kernel chooses a process to end when memory runs out: after the readers of
 * files, before the API and the worker.
 */
const OOM_SCORE = 500;

const [, , modelCacheDir, temperature, user] = process.argv;
if (!modelCacheDir || !user || process.send === undefined) {
  throw new Error('the engine process is started by a worker');
}
preferToDie(OOM_SCORE);

// systemd signals every process of a service, but the worker decides when this process ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit());

/** A job of this process, and the answers that it may wait for. */
interface CurrentJob {
  readonly abort: AbortController;
  readonly sourceAnalysis: PromiseWithResolvers<SourceAnalysis | null>;
  readonly manifestBytes: PromiseWithResolvers<number>;
  readonly manifest: PromiseWithResolvers<Uint8Array>;
}

/** Jobs of this process by their ids: at most one in work and one that is being written. */
const current = new Map<number, CurrentJob>();

const engine = await createEngine({ modelCacheDir });
const tools = createJobTools(engine);
const sample = temperature === 'warm' ? (await readSampleFaces()).face : null;
// Writes the compile cache now, because this process ends by SIGKILL, and will soon lose the right
// to write there.
flushCompileCache();
await giveUpRights(JSON.parse(user) as UnprivilegedUser | null, [
  loadNodeAv,
  preloadHeifDecoder,
  loadNetworkCode,
]);
send({ type: 'opened' });
/** Aborted by the first job, which would otherwise wait longer than it takes without a warm-up. */
const firstJob = new AbortController();
process.on('message', (message: MessageToEngine) => {
  if (message.type === 'abort') {
    current.get(message.jobId)?.abort.abort();
    // Somebody may have withdrawn the consent to use a face: nothing of it is kept for other jobs.
    tools.sharedImages.forget();
    tools.filmSources.forget();
    return;
  }
  if (message.type === 'source-analysis') {
    current.get(message.jobId)?.sourceAnalysis.resolve(message.analysis);
    return;
  }
  if (message.type === 'measured') {
    current.get(message.jobId)?.manifestBytes.resolve(message.manifestBytes);
    return;
  }
  if (message.type === 'signed') {
    current.get(message.jobId)?.manifest.resolve(message.manifest);
    return;
  }
  void perform(message);
});
send({ type: 'ready', engine: { name: engine.name, version: engine.version } });
const warmedUp = sample === null ? null : warmUp(tools, sample, firstJob.signal);

async function perform({
  jobId,
  job,
  expectsSourceAnalysis,
}: Extract<MessageToEngine, { type: 'job' }>): Promise<void> {
  const abort = new AbortController();
  const sourceAnalysis = Promise.withResolvers<SourceAnalysis | null>();
  const manifestBytes = Promise.withResolvers<number>();
  const manifest = Promise.withResolvers<Uint8Array>();
  current.set(jobId, { abort, sourceAnalysis, manifestBytes, manifest });
  firstJob.abort();
  await warmedUp;
  const signer: ManifestSigner = {
    manifestBytes: (content) => {
      send({ type: 'measure', jobId, content });
      return manifestBytes.promise;
    },
    sign: (request) => {
      send({ type: 'sign', jobId, request });
      return manifest.promise;
    },
  };
  const onProgress: OnProgress = (progress, frames) =>
    send({ type: 'progress', jobId, progress, ...(frames === undefined ? {} : { frames }) });
  let answer: MessageFromEngine;
  try {
    answer = {
      type: 'done',
      jobId,
      outcome: await runJob(tools, job, {
        signal: abort.signal,
        signer,
        onProgress,
        onWriting: () => send({ type: 'writing', jobId }),
        onSourceAnalysis: (analysis) => send({ type: 'source-analysis', jobId, analysis }),
        ...(expectsSourceAnalysis ? { sourceAnalysis: sourceAnalysis.promise } : {}),
      }),
    };
  } catch (error) {
    const { code, message } = failureOf(error);
    const mustRestart = error instanceof NetworkOutOfMemory;
    answer = { type: 'failed', jobId, code, message, detail: detailOf(error), mustRestart };
  }
  current.delete(jobId);
  send(answer);
}

function failureOf(error: unknown): TaskFailure {
  if (error instanceof TaskFailure) return error;
  if (error instanceof NetworkOutOfMemory)
    return new TaskFailure('ENGINE_UNAVAILABLE', 'The engine of this task ran out of memory.', error);
  return new TaskFailure('INTERNAL_ERROR', 'The engine failed on this request.', error);
}

/**
 * Runs whole jobs on a sample, which compiles the code paths and lays out the models' memory, so
 * that later clients wait for neither.
 */
async function warmUp(warming: JobTools, face: Uint8Array, signal: AbortSignal): Promise<void> {
  const endMs = performance.now() + WARM_UP_DURATION_MS;
  const facePath = path.join(WARM_UP_DIR, 'face.jpg');
  const outputPath = path.join(WARM_UP_DIR, 'out.jpg');
  await writeFile(facePath, face);
  try {
    while (!signal.aborted && performance.now() < endMs) {
      await runJob(
        warming,
        {
          kind: 'swap-image',
          sourcePath: facePath,
          targetPath: facePath,
          outputPath,
          options: { restore: { faceRestoreVisibility: 1, restoreVisibility: 1 } },
          maxPixels: 10_000_000,
        },
        { signal, signer: BLANK_SIGNER, onProgress: () => {} },
      );
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  await Promise.all([rm(facePath), rm(outputPath, { force: true })]);
}

function send(message: MessageFromEngine): void {
  // The parent may exit between two messages. `disconnect` then ends this process.
  if (process.connected) process.send?.(message);
}

function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${detailOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
