import { TaskFailure } from '@guise/contract/errors.ts';
import { MAX_SEGMENTS } from '@guise/engine/film/film-plan.ts';
import { cutFilm as cut } from '@guise/media/film/cut-film.ts';
import type { CutFilmJob, CutFilmOutcome } from '../protocol/engine-job.ts';
import { describeSwapped } from './describe-face.ts';
import { findMappedPersons } from './find-mapped.ts';
import type { JobHooks, JobTools } from './job-tools.ts';
import { isFaceless, MAX_FACELESS_SECONDS } from './look-at-clip-job.ts';
import { readable } from './media-failure.ts';
import { FILM_LIMITS, writeMade } from './film-files.ts';

/**
 * Finds where a film is cut, analyses the sources, and looks for mapped people.
 * @throws TaskFailure if the film cannot be read, or a source shows no face; FACE_NOT_FOUND if a
 * mapped person is not there; NO_FACE_DETECTED if looks at a film of up to three minutes find no
 * face, so that it need not be studied
 */
export async function cutFilm(
  { engine, filmSources }: JobTools,
  job: CutFilmJob,
  { signal }: JobHooks,
): Promise<CutFilmOutcome> {
  const { mappings, targetPath, part } = job;
  const what = 'target video';
  const swapped = await filmSources.use(job, (sources) =>
    Promise.resolve(sources.map(({ reviewed }) => describeSwapped({ source: reviewed }))),
  );
  const found = await readable(what, () => cut(targetPath, FILM_LIMITS, part));
  if (found.starts.length > MAX_SEGMENTS) throw new Error('A film has too many segments.');
  const persons =
    mappings &&
    (await readable(what, () => findMappedPersons(engine, { mappings, targetPath, part, what }, signal)));
  // Of a longer film, `isFaceless` would read all packets to tell nothing.
  const isShort = found.seconds <= MAX_FACELESS_SECONDS;
  if (!persons && isShort && (await readable(what, () => isFaceless(engine, targetPath, signal))))
    throw new TaskFailure('NO_FACE_DETECTED', `No face was found in the ${what}.`);
  await writeMade(job.outputPath, JSON.stringify(found));
  const made = { segments: found.starts.length, frames: found.frameCount, swapped };
  return persons ? { ...made, persons } : made;
}
