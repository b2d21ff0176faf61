import { framesOfPart } from '@guise/contract/clip-part.ts';
import type { Engine } from '@guise/engine/pipeline/engine.ts';
import { swapFrames, type VideoSwap } from '@guise/engine/pipeline/swap-video.ts';
import { probeVideo } from '@guise/media/clip/probe.ts';
import { processVideo } from '@guise/media/clip/process-video.ts';
import { labelFrames } from '@guise/media/label/label-frames.ts';
import { watermarkFrames } from '@guise/media/watermark/watermark-frames.ts';
import { CLIP_LIMITS } from './clip-limits.ts';
import { additionalSources, decodePhoto } from './decode-photo.ts';
import { describeSwapped } from './describe-face.ts';
import type { SwapVideoJob, SwapVideoOutcome } from '../protocol/engine-job.ts';
import type { JobHooks, JobTools } from './job-tools.ts';
import { isFaceless } from './look-at-clip-job.ts';
import { readable } from './media-failure.ts';
import { reportSparingly } from './report-progress.ts';
import { sealClip } from './seal-clip.ts';

/**
 * Share of the progress that the first pass takes, which is large because a second pass is rare.
 */
const FIRST_PASS_SHARE = 0.95;

/**
 * Swaps the face of a clip, from file to file. Call it only in the engine process, because it opens
 * untrusted files.
 * @throws TaskFailure for every error that a client may see
 */
export async function swapVideo(
  { engine }: JobTools,
  job: SwapVideoJob,
  { signal, signer, onProgress }: JobHooks,
): Promise<SwapVideoOutcome> {
  const started = performance.now();
  const report = reportSparingly(onProgress);
  const swap = await openSwap(engine, job, signal);
  try {
    signal.throwIfAborted();
    const probe = await readable(what(job), () => probeVideo(job.targetPath, CLIP_LIMITS));
    const frameCount = framesOfPart(job.options.part, probe);
    onProgress(0, { done: 0, total: frameCount });

    const opened = performance.now();
    const made = await readable(what(job), () =>
      swapFrames(swap, (hooks, isAgain) =>
        processVideo({
          inputPath: job.targetPath,
          outputPath: job.outputPath,
          container: job.container,
          hardware: job.hardware,
          ...job.options.size,
          part: job.options.part,
          limits: CLIP_LIMITS,
          signal,
          ...hooks,
          onFrame: watermarkFrames(job.watermark, labelFrames(job.options.label, hooks.onFrame)),
          onProgress: ({ fraction, framesDone }) => {
            const done = isAgain ? frameCount : Math.min(framesDone, frameCount);
            const before = isAgain ? FIRST_PASS_SHARE : 0;
            const share = isAgain ? 1 - FIRST_PASS_SHARE : FIRST_PASS_SHARE;
            report(before + share * fraction, { done, total: frameCount });
          },
        }),
      ),
    );
    onProgress(1, { done: made.frameCount, total: made.frameCount });
    const drawn = performance.now();
    const sealed = await sealClip(job.outputPath, made.contentType, job.targetPath, signer);
    const ended = performance.now();
    const { timingsMs, source, ...receipt } = swap.receipt();
    return {
      ...receipt,
      swapped: [describeSwapped({ source })],
      contentType: made.contentType,
      width: made.width,
      height: made.height,
      ...sealed,
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

/**
 * Opens the swap. This is a separate function, so that the photo can be freed while the clip is
 * processed.
 */
async function openSwap(engine: Engine, job: SwapVideoJob, signal: AbortSignal): Promise<VideoSwap> {
  const { rgb } = await decodePhoto('source image', job.sourcePath, job.maxPixels);
  const request = {
    source: rgb,
    additionalSources: additionalSources(job),
    targetName: what(job),
    isFaceless: () => isFaceless(engine, job.targetPath, signal),
    restore: job.options.restore,
  };
  return engine.openVideoSwap(request, job.networks);
}

function what({ container }: SwapVideoJob): string {
  return container === 'gif' ? 'target GIF' : 'target video';
}
