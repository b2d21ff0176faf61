import { TaskFailure } from '@guise/contract/errors.ts';
import { warnOfSwap } from '@guise/contract/warnings.ts';
import type { SwapVideoOrder, TaskResult } from '../../tasks/task.ts';
import { receiptOfSources } from '../work/source-files.ts';
import type { TaskRun } from '../work/task-run.ts';
import type { LeaderOptions } from '../work/worker-options.ts';
import { videoContainer } from '../work/video-container.ts';
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
  order: SwapVideoOrder,
  taskRun: TaskRun,
  options: LeaderOptions,
): Promise<TaskResult> {
  const { target, source, additionalSources = [], size, restore, part, networks } = order;
  const wish = { target, container: videoContainer(order), size };
  const cutWork: CutWork = { target, source, additionalSources, part, networks };
  await using steps = await FilmSteps.begin(taskRun, options);

  const [cut] = await steps.run<MadeCut>('cut', [cutWork]);
  const studyWork: StudyWork = { ...wish, cut: fileOf(cut!) };
  steps.expect(cut!.frames);
  const studies = await steps.run<MadeFile>('study', repeated(studyWork, cut!.segments));

  const chooseWork: ChooseWork = { cut: fileOf(cut!), studies: studies.map(fileOf) };
  const [choice] = await steps.run<MadeChoice>('choose', [chooseWork]);
  const plan = fileOf(choice!);
  steps.expect(choice!.frames.total);
  const drawWork: DrawWork = { ...wish, ...cutWork, plan, restore };
  const segments = await steps.run<MadeSegment>('draw', repeated(drawWork, choice!.segments));

  const { container } = wish;
  const joinWork: JoinWork = { target, container, plan, segments: segments.map(fileOf), networks };
  const [film] = await steps.run<MadeFilm>('join', [joinWork]);
  const { audio: _audio, ...output } = film!;
  const similarities = segments.flatMap((segment) => segment.similarities).sort((a, b) => a - b);
  const shares = segments.find(({ sourceShares }) => sourceShares.length > 0)?.sourceShares ?? [];
  const { facesFound, frames, longestGapFrames } = choice!;
  return {
    outputs: [{ index: 0, ...output }],
    failures: [],
    receipt: {
      facesFound,
      frames,
      longestGapFrames,
      engine: cut!.engine,
      identitySimilarity: similarities[similarities.length >> 1] ?? null,
      ...receiptOfSources(order, shares),
      warnings: cut!.swapped.flatMap((faces) => warnOfSwap(faces, { source: source.field })),
      credits: 0,
    },
  };
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
