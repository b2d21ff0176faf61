import { joinFilm as join } from '@guise/media/film/join-film.ts';
import type { JoinFilmJob, JoinFilmOutcome } from '../protocol/engine-job.ts';
import type { JobHooks } from './job-tools.ts';
import { readable } from './media-failure.ts';
import { reportSparingly } from './report-progress.ts';
import { FILM_LIMITS, readPlannedFilm } from './film-files.ts';
import { sealClip } from './seal-clip.ts';

/**
 * Joins the segments of a film, and marks and signs the output.
 * @throws TaskFailure if the film's sound or time stamps cannot be rewritten
 */
export async function joinFilm(
  job: JoinFilmJob,
  { signal, signer, onProgress }: JobHooks,
): Promise<JoinFilmOutcome> {
  const report = reportSparingly(onProgress);
  const { plan, cut, shape } = await readPlannedFilm(job.planPath);
  if (job.segmentPaths.length !== plan.segmentCount) throw new Error('A film is not drawn to its end.');
  const made = await readable('target video', () =>
    join({
      inputPath: job.targetPath,
      segmentPaths: job.segmentPaths,
      outputPath: job.outputPath,
      container: job.container,
      cut,
      shape,
      hardware: job.hardware,
      limits: FILM_LIMITS,
      signal,
      onProgress: report,
    }),
  );
  const { contentType, width, height, durationSeconds, audio } = made;
  const sealed = await sealClip(job.outputPath, contentType, job.targetPath, signer);
  return { contentType, width, height, durationSeconds, audio, ...sealed };
}
