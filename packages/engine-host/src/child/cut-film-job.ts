import { TaskFailure } from '@guise/contract/errors.ts';
import { MAX_SEGMENTS } from '@guise/engine/film/film-plan.ts';
import { cutFilm as cut } from '@guise/media/film/cut-film.ts';
import type { CutFilmJob, CutFilmOutcome } from '../protocol/engine-job.ts';
import { describeSwapped } from './describe-face.ts';
import type { JobHooks, JobTools } from './job-tools.ts';
import { isFaceless, MAX_FACELESS_SECONDS } from './look-at-clip-job.ts';
import { readable } from './media-failure.ts';
import { FILM_LIMITS, writeMade } from './film-files.ts';

/**
 * Finds where a film is cut, and analyses the source.
 * @throws TaskFailure if the film cannot be read, or a source shows no face; NO_FACE_DETECTED if
 * looks at a film of up to three minutes find no face, so that it need not be studied
 */
export async function cutFilm(
  { engine, filmSources }: JobTools,
  job: CutFilmJob,
  { signal }: JobHooks,
): Promise<CutFilmOutcome> {
  const reviewed = await filmSources.use(job, (source) => Promise.resolve(source.reviewed));
  const found = await readable('target video', () => cut(job.targetPath, FILM_LIMITS, job.part));
  if (found.starts.length > MAX_SEGMENTS) throw new Error('A film has too many segments.');
  // Of a longer film, `isFaceless` would read all packets to tell nothing.
  const isShort = found.seconds <= MAX_FACELESS_SECONDS;
  if (isShort && (await readable('target video', () => isFaceless(engine, job.targetPath, signal))))
    throw new TaskFailure('NO_FACE_DETECTED', 'No face was found in the target video.');
  await writeMade(job.outputPath, JSON.stringify(found));
  return {
    segments: found.starts.length,
    frames: found.frameCount,
    swapped: [describeSwapped({ source: reviewed })],
  };
}
