import { drawFrames } from '@guise/media/film/draw-frames.ts';
import { labelFrames } from '@guise/media/label/label-frames.ts';
import { watermarkFrames } from '@guise/media/watermark/watermark-frames.ts';
import type { DrawSegmentJob, DrawSegmentOutcome } from '../protocol/engine-job.ts';
import type { JobHooks, JobTools } from './job-tools.ts';
import { readable } from './media-failure.ts';
import { reportSparingly } from './report-progress.ts';
import { FILM_LIMITS, readPlannedFilm } from './film-files.ts';

/**
 * Draws and encodes one segment of a film.
 * @throws TaskFailure if the film or a source cannot be read
 */
export function drawSegment(
  { engine, filmSources }: JobTools,
  job: DrawSegmentJob,
  { signal, onProgress }: JobHooks,
): Promise<DrawSegmentOutcome> {
  return filmSources.use(job, async (sources) => {
    const report = reportSparingly(onProgress);
    const { plan, cut, shape } = await readPlannedFilm(job.planPath);
    const segment = plan.segment(job.segment);
    const { from, to, faces } = segment;
    const request = { persons: plan.persons, sources, restore: job.restore, segment };
    const drawing = await engine.openDrawing(request, job.networks);
    try {
      signal.throwIfAborted();
      const frames = await readable('target video', () =>
        drawFrames({
          inputPath: job.targetPath,
          outputPath: job.outputPath,
          cut,
          container: job.container,
          ...job.size,
          shape,
          hardware: job.hardware,
          from,
          to,
          lead: [...new Set(faces.map(({ tick }) => tick).filter((tick) => tick < from))],
          limits: FILM_LIMITS,
          signal,
          onFrame: watermarkFrames(
            job.watermark,
            labelFrames(job.label, (frame, tick: number) => drawing.draw(frame, tick)),
          ),
          onWritten: (done) =>
            report(Math.min(1, done / segment.frames), {
              done: Math.min(done, segment.frames),
              total: segment.frames,
            }),
        }),
      );
      return { persons: drawing.receipts, frames };
    } finally {
      drawing.close();
    }
  });
}
