import { TaskFailure } from '@guise/contract/errors.ts';
import { warnOfSwap } from '@guise/contract/warnings.ts';
import { type DrawnFilm, receiptOfFilm } from '@guise/engine-host/protocol/film-receipt.ts';
import { type FilmOrder, type Receipt, type TaskResult, videoContainer } from '../../tasks/task.ts';
import { receiptOfMarks } from '../work/marks.ts';
import { type FilmSource, receiptOfSources } from '../work/source-files.ts';
import type { TaskRun } from '../work/task-run.ts';
import type { LeaderOptions } from '../work/worker-options.ts';
import { FilmSteps } from './film-steps.ts';
import type {
  ChooseWork,
  CutWork,
  DrawWork,
  JoinWork,
  MadeChoice,
  MadeCut,
  MadeFile,
  MadeFilm,
  MadeSegment,
  StudyWork,
} from './film-work.ts';

/**
 * Largest number of segments of a film. The limit is needed because the process that counts them
 * has opened an untrusted file.
 */
const MAX_SEGMENTS = 64;

/**
 * Leads a film: the segments are studied, the faces chosen, and the segments drawn and joined. Any
 * worker may do each part. A new leader continues with the finished parts.
 */
export async function performFilm(
  order: FilmOrder,
  taskRun: TaskRun,
  options: LeaderOptions,
): Promise<TaskResult> {
  const { target, size, restore, part, networks, label } = order;
  const isMapped = order.kind === 'swap-persons';
  const sources = sourcesOf(order);
  const mappings = isMapped ? order.mappings.map(({ name, face }) => ({ name, face })) : undefined;
  const wish = { target, container: videoContainer(order), size };
  const cutWork: CutWork = { target, mappings, sources, part, networks };
  await using steps = await FilmSteps.begin(taskRun, options);

  const [cut] = await steps.run<MadeCut>('cut', [cutWork]);
  const studyWork: StudyWork = { ...wish, cut: fileOf(cut!), isApart: isMapped };
  steps.expect(cut!.frames);
  const studies = await steps.run<MadeFile>('study', repeated(studyWork, cut!.segments));

  const { persons } = cut!;
  if (isMapped !== (persons !== undefined)) throw new Error('A cut does not name the mapped people.');
  const chooseWork: ChooseWork = { cut: fileOf(cut!), studies: studies.map(fileOf), persons };
  const [choice] = await steps.run<MadeChoice>('choose', [chooseWork]);
  const plan = fileOf(choice!);
  steps.expect(choice!.frames.total);
  const drawWork: DrawWork = { ...wish, sources, networks, plan, restore, label };
  const segments = await steps.run<MadeSegment>('draw', repeated(drawWork, choice!.segments));

  const { container } = wish;
  const joinWork: JoinWork = { target, container, plan, segments: segments.map(fileOf), networks };
  const [film] = await steps.run<MadeFilm>('join', [joinWork]);
  const { audio: _audio, ...output } = film!;
  const drawn = receiptOfFilm(
    choice!,
    segments.map((segment) => segment.persons),
  );
  const { facesFound, frames, longestGapFrames, identitySimilarity } = drawn;
  return {
    outputs: [{ index: 0, ...output }],
    failures: [],
    receipt: {
      facesFound,
      frames,
      longestGapFrames,
      engine: cut!.engine,
      identitySimilarity,
      ...receiptOfPersons(order, drawn),
      ...receiptOfMarks(order, options.settings),
      warnings: cut!.swapped.flatMap((faces, k) => warnOfSwap(faces, { source: sources[k]!.source.field })),
      credits: 0,
    },
  };
}

function sourcesOf(order: FilmOrder): readonly FilmSource[] {
  return order.kind === 'swap-persons'
    ? order.mappings.map(({ source, additionalSources }) => ({ source, additionalSources, isNamed: true }))
    : [{ source: order.source, additionalSources: order.additionalSources, isNamed: false }];
}

/** Returns what a receipt says of each mapped person, or of the photos of the main person. */
function receiptOfPersons(
  order: FilmOrder,
  { persons, sourceShares }: DrawnFilm,
): Pick<Receipt, 'persons' | 'sourceShares'> {
  return order.kind === 'swap-persons'
    ? { persons: persons.map((person, k) => Object.assign({ index: order.mappings[k]!.index }, person)) }
    : receiptOfSources(order, sourceShares[0]!);
}

function fileOf({ objectKey }: MadeFile): MadeFile {
  return { objectKey };
}

/** @throws TaskFailure if a film cannot have this number of segments */
function repeated<T>(work: T, count: number): T[] {
  if (!Number.isInteger(count) || count < 1 || count > MAX_SEGMENTS)
    throw new TaskFailure('INTERNAL_ERROR', 'guise could not split this video into segments.');
  return Array.from({ length: count }, () => work);
}
