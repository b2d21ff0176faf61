import { framesOfPart } from '@guise/contract/clip-part.ts';
import { chooseFaces } from '@guise/engine/pipeline/choose-faces.ts';
import { probeVideo } from '@guise/media/clip/probe.ts';
import { processVideo } from '@guise/media/clip/process-video.ts';
import { showFrames } from '@guise/media/clip/show-frames.ts';
import { labelFrames } from '@guise/media/label/label-frames.ts';
import { watermarkFrames } from '@guise/media/watermark/watermark-frames.ts';
import type { SwapPersonsJob, SwapPersonsOutcome } from '../protocol/engine-job.ts';
import { receiptOfFilm } from '../protocol/film-receipt.ts';
import { CLIP_LIMITS } from './clip-limits.ts';
import { describeSwapped } from './describe-face.ts';
import { findMappedPersons } from './find-mapped.ts';
import type { JobHooks, JobTools } from './job-tools.ts';
import { readable } from './media-failure.ts';
import { reportSparingly } from './report-progress.ts';
import { sealClip } from './seal-clip.ts';

/** Progress when all frames have been studied and none has been drawn. */
const STUDY_SHARE = 0.4;

/**
 * Swaps several people of a clip, from file to file. The clip is a film of one segment: it is
 * studied, the faces are chosen, and then it is drawn. Call it only in the engine process, because
 * it opens untrusted files.
 * @throws TaskFailure for every error that a client may see
 */
export function swapPersons(
  { engine, filmSources }: JobTools,
  job: SwapPersonsJob,
  { signal, signer, onProgress }: JobHooks,
): Promise<SwapPersonsOutcome> {
  const started = performance.now();
  const report = reportSparingly(onProgress);
  const what = job.container === 'gif' ? 'target GIF' : 'target video';
  const { part, restore, label } = job.options;
  const timingsMs = { look: 0, draw: 0 };
  return filmSources.use(job, async (sources) => {
    const probe = await readable(what, () => probeVideo(job.targetPath, CLIP_LIMITS));
    const mapped = await readable(what, () => findMappedPersons(engine, { ...job, part, what }, signal));
    const total = framesOfPart(part, probe);
    onProgress(0, { done: 0, total });
    const clip = {
      inputPath: job.targetPath,
      container: job.container,
      ...job.options.size,
      limits: CLIP_LIMITS,
      part,
      signal,
    };
    const study = await engine.openStudy(true);
    let shown = 0;
    let size = { width: 1, height: 1 };
    await readable(what, () =>
      showFrames({
        ...clip,
        onFrame: async (frame) => {
          const since = performance.now();
          size = { width: frame.width, height: frame.height };
          await study.look(frame, shown++);
          timingsMs.look += performance.now() - since;
          report(STUDY_SHARE * Math.min(1, shown / total), { done: 0, total });
        },
      }),
    );
    await study.end();
    const plan = chooseFaces({ ...study.finish(), seams: [] }, { ...size, persons: mapped });
    const { receipt, persons, segments } = plan!;
    const request = { persons, sources, restore, segment: segments[0]! };
    const drawing = await engine.openDrawing(request, job.networks);
    try {
      let drawn = 0;
      const made = await readable(what, () =>
        processVideo({
          ...clip,
          hardware: job.hardware,
          outputPath: job.outputPath,
          onFrame: watermarkFrames(
            job.watermark,
            labelFrames(label, async (frame) => {
              const since = performance.now();
              await drawing.draw(frame, drawn++);
              timingsMs.draw += performance.now() - since;
            }),
          ),
          onProgress: ({ fraction, framesDone }) =>
            report(STUDY_SHARE + (1 - STUDY_SHARE) * fraction, {
              done: Math.min(framesDone, shown),
              total: shown,
            }),
        }),
      );
      onProgress(1, { done: made.frameCount, total: made.frameCount });
      const sealed = await sealClip(job.outputPath, made.contentType, job.targetPath, signer);
      const { contentType, width, height, durationSeconds, audio } = made;
      const { sourceShares: _shares, ...drawnFilm } = receiptOfFilm(receipt, [drawing.receipts]);
      return {
        ...drawnFilm,
        swapped: sources.map(({ reviewed }) => describeSwapped({ source: reviewed })),
        contentType,
        width,
        height,
        ...sealed,
        durationSeconds,
        audio,
        timingsMs: { ...timingsMs, total: performance.now() - started },
      };
    } finally {
      drawing.close();
    }
  });
}
