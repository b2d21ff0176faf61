import { packStudy, STUDY_LEAD_SECONDS, STUDY_TRAIL_SECONDS } from '@guise/engine/film/study-segment.ts';
import { studyFrames } from '@guise/media/film/study-frames.ts';
import type { StudySegmentJob } from '../protocol/engine-job.ts';
import type { JobHooks, JobTools } from './job-tools.ts';
import { readable } from './media-failure.ts';
import { reportSparingly } from './report-progress.ts';
import { FILM_LIMITS, readCut, writeMade } from './film-files.ts';

/**
 * Finds who is where in one segment of a film and in some frames around it.
 * @throws TaskFailure if the film cannot be read
 */
export async function studySegment(
  { engine }: JobTools,
  job: StudySegmentJob,
  { signal, onProgress }: JobHooks,
): Promise<Record<string, never>> {
  const report = reportSparingly(onProgress);
  const cut = await readCut(job.cutPath);
  const perSecond = cut.timeBase.den / cut.timeBase.num;
  const start = cut.starts[job.segment];
  if (start === undefined) throw new RangeError(`The film has no segment ${job.segment}.`);
  const end = cut.starts[job.segment + 1];
  const from = Math.max(0, Math.ceil(start - STUDY_LEAD_SECONDS * perSecond));
  const to = end === undefined ? Infinity : end + STUDY_TRAIL_SECONDS * perSecond;
  const last = end ?? cut.seconds * perSecond;
  const study = await engine.openStudy(job.isApart);
  const pictures = await readable('target video', () =>
    studyFrames({
      inputPath: job.targetPath,
      cut,
      container: job.container,
      ...job.size,
      from,
      to,
      limits: FILM_LIMITS,
      signal,
      onFrame: async (frame, tick) => {
        await study.look(frame, tick);
        report(Math.min(1, Math.max(0, (tick - start) / Math.max(1, last - start))));
      },
      onEnd: () => study.end(),
    }),
  );
  await writeMade(job.outputPath, packStudy(study.finish(), pictures));
  return {};
}
