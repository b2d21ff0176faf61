import { TaskFailure } from '@guise/contract/errors.ts';
import { chooseFaces as choose, joinStudies } from '@guise/engine/pipeline/choose-faces.ts';
import { writePlan } from '@guise/engine/film/film-plan.ts';
import { type ReadStudy, readStudy } from '@guise/engine/film/segment-study.ts';
import { checkShape } from '@guise/media/film/check-film.ts';
import type { PictureShape } from '@guise/media/video/video-encoder.ts';
import type { ChooseFacesJob, ChooseFacesOutcome } from '../protocol/engine-job.ts';
import { readCut, readMade, writeMade } from './film-files.ts';

/**
 * Decides from the studies of a film's segments who gets another face.
 * @throws TaskFailure NO_FACE_DETECTED if no frame shows a face, DECODE_FAILED if there is no
 * frame, FACE_NOT_FOUND and FACE_BOX_CONFLICT as `findMapped`
 */
export async function chooseFaces(job: ChooseFacesJob): Promise<ChooseFacesOutcome> {
  const cut = await readCut(job.cutPath);
  if (job.studyPaths.length !== cut.starts.length)
    throw new Error('The analysis of the video is incomplete.');
  const studies: ReadStudy[] = [];
  for (const filePath of job.studyPaths) studies.push(readStudy(await readMade(filePath)));
  const shape = firstShape(studies);
  if (shape === null)
    throw new TaskFailure('DECODE_FAILED', 'The target video is damaged and could not be decoded.');
  const tickSeconds = cut.timeBase.num / cut.timeBase.den;
  const wanted = job.persons ? { ...shape, persons: job.persons } : null;
  const plan = choose(joinStudies({ studies, starts: cut.starts, tickSeconds }), wanted);
  if (plan === null) throw new TaskFailure('NO_FACE_DETECTED', 'No face was found in the target video.');
  await writeMade(job.outputPath, writePlan({ ...plan, about: { cut, shape } }));
  return { ...plan.receipt, segments: plan.segments.length };
}

function firstShape(studies: readonly ReadStudy[]): PictureShape | null {
  for (const { about } of studies) {
    const { shape } = (about ?? {}) as { shape?: unknown };
    if (shape !== null) return checkShape(shape);
  }
  return null;
}
