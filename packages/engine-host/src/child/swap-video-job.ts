import type { Engine } from '@guise/engine/pipeline/engine.ts';
import { swapFrames, type VideoSwap } from '@guise/engine/pipeline/swap-video.ts';
import { markMoving } from '@guise/media/provenance/mark-moving.ts';
import { probeVideo } from '@guise/media/clip/probe.ts';
import { processVideo } from '@guise/media/clip/process-video.ts';
import type { FrameProgress } from '@guise/contract/work.ts';
import { additionalSources, decodePhoto } from './decode-photo.ts';
import type { SwapVideoJob, SwapVideoOutcome } from '../protocol/engine-job.ts';
import type { JobHooks, JobTools } from './job-tools.ts';
import { readable } from './media-failure.ts';

const LEAST_PROGRESS_STEP = 0.002;
/** Where a step of a long video takes longer. */
const LONGEST_SILENCE_MS = 500;
/**
 * The longest that any interface takes (v1); whether a clip is too long for its own is known before
 * it comes here.
 */
const LIMITS = { maxSeconds: 600 };
/** Progress after the first pass; seldom is there a second. */
const FIRST_PASS = 0.95;

/**
 * A clip in, a clip out. Runs in the engine process only: it opens whatever a stranger sent.
 * @throws TaskFailure for everything a client may be told
 */
export async function swapVideo(
  { engine }: JobTools,
  job: SwapVideoJob,
  { signal, signer, onProgress }: JobHooks,
): Promise<SwapVideoOutcome> {
  const started = performance.now();
  let told = { progress: 0, atMs: started };
  const tell = (progress: number, frames?: FrameProgress): void => {
    const now = performance.now();
    if (progress - told.progress < LEAST_PROGRESS_STEP && now - told.atMs < LONGEST_SILENCE_MS) return;
    told = { progress: Math.max(told.progress, Math.min(1, progress)), atMs: now };
    onProgress(told.progress, frames);
  };
  const swap = await openSwap(engine, job);
  try {
    signal.throwIfAborted();
    const { frameCount } = await readable(what(job), () => probeVideo(job.targetPath, LIMITS));
    onProgress(0, { done: 0, total: frameCount });

    const opened = performance.now();
    const made = await readable(what(job), () =>
      swapFrames(swap, (hooks, isAgain) =>
        processVideo({
          inputPath: job.targetPath,
          outputPath: job.outputPath,
          container: job.container,
          ...job.size,
          limits: LIMITS,
          signal,
          ...hooks,
          onProgress: ({ fraction, framesDone }) => {
            const done = isAgain ? frameCount : Math.min(framesDone, frameCount);
            const before = isAgain ? FIRST_PASS : 0;
            const share = isAgain ? 1 - FIRST_PASS : FIRST_PASS;
            tell(before + share * fraction, { done, total: frameCount });
          },
        }),
      ),
    );
    onProgress(1, { done: made.frameCount, total: made.frameCount });
    const drawn = performance.now();
    const { sizeBytes, sha256 } = await markMoving(job.outputPath, made.contentType, signer);
    const ended = performance.now();
    const { timingsMs, ...receipt } = swap.receipt();
    return {
      ...receipt,
      contentType: made.contentType,
      width: made.width,
      height: made.height,
      sizeBytes,
      sha256,
      durationSeconds: made.durationSeconds,
      audio: made.audio,
      timingsMs: {
        open: opened - started,
        swap: drawn - opened,
        sign: ended - drawn,
        engineLook: timingsMs.look ?? 0,
        engineDraw: timingsMs.draw ?? 0,
        total: ended - started,
      },
    };
  } finally {
    await swap.close();
  }
}

/** A function of its own, so that nothing holds the photo while the clip is worked through. */
async function openSwap(engine: Engine, job: SwapVideoJob): Promise<VideoSwap> {
  const { rgb } = await decodePhoto('source image', job.sourcePath, job.maxPixels);
  return engine.openVideoSwap({
    source: rgb,
    additionalSources: additionalSources(job),
    targetName: what(job),
    ...job.restore,
  });
}

function what({ container }: SwapVideoJob): string {
  return container === 'gif' ? 'target GIF' : 'target video';
}
