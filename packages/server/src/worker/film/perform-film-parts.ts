import { stat } from 'node:fs/promises';
import type { EngineJob, EngineOutcome } from '@guise/engine-host/protocol/engine-job.ts';
import { drawnBy } from '../../networks/drawn-by.ts';
import type { PartRun } from '../work/part-run.ts';
import { filesOfSources, photosOf } from '../work/source-files.ts';
import { type LocalInput, type RestingInput, withInputs } from '../work/with-inputs.ts';
import type { SlotOptions } from '../work/worker-options.ts';
import type {
  ChooseWork,
  CutWork,
  DrawWork,
  FilmPartProgress,
  JoinWork,
  MadeChoice,
  MadeCut,
  MadeFile,
  MadeFilm,
  MadeSegment,
  StudyWork,
} from './film-work.ts';

/** Finds the positions at which a film is cut into segments. */
export async function performCut(partRun: PartRun, options: SlotOptions): Promise<MadeCut> {
  const work = partRun.part.work as CutWork;
  const { mappings, sources, part } = work;
  const drawer = drawnBy(await options.engine.whenReady(), work.networks?.swapper);
  const cut = await withTarget(work, partRun, options, photosOf(sources), async ([targetPath, ...photos]) => {
    const { engine, blockedFaces } = options;
    const files = filesOfSources(sources, photos);
    const clip = { clip: work.target, path: targetPath!, photos: files };
    await blockedFaces?.refuseClip(partRun.part.taskId, clip, engine, partRun.signal);
    return make(partRun, options, (outputPath) => ({
      outputPath,
      kind: 'cut-film',
      targetPath: targetPath!,
      mappings,
      sources: files,
      part,
      maxPixels: options.settings.maxPixels,
    }));
  });
  return { ...cut, engine: { name: drawer.name, version: drawer.version } };
}

/** Finds the faces in one segment. */
export function performStudy(partRun: PartRun, options: SlotOptions): Promise<MadeFile> {
  const work = partRun.part.work as StudyWork;
  const { container, size, isApart } = work;
  return withTarget(work, partRun, options, [made(work.cut)], ([targetPath, cutPath]) =>
    make(partRun, options, (outputPath) => ({
      outputPath,
      kind: 'study-segment',
      targetPath: targetPath!,
      cutPath: cutPath!,
      segment: partRun.part.position,
      container,
      size,
      isApart,
    })),
  );
}

/** Decides from all studies which faces are drawn where. */
export function performChoose(partRun: PartRun, options: SlotOptions): Promise<MadeChoice> {
  const { cut, studies, persons } = partRun.part.work as ChooseWork;
  return withInputs(options.storage, [cut, ...studies].map(made), ([cutPath, ...studyPaths]) =>
    make(partRun, options, (outputPath) => ({
      kind: 'choose-faces',
      outputPath,
      cutPath: cutPath!,
      studyPaths,
      persons,
    })),
  );
}

/** Draws the faces in one segment. */
export async function performDraw(partRun: PartRun, options: SlotOptions): Promise<MadeSegment> {
  const work = partRun.part.work as DrawWork;
  const { container, size, restore, label, sources } = work;
  const networks = await options.networks.filesOf(work.networks);
  const inputs = [made(work.plan), ...photosOf(sources)];
  return withTarget(work, partRun, options, inputs, ([targetPath, planPath, ...photos]) =>
    make(partRun, options, (outputPath, watermark) => ({
      outputPath,
      watermark,
      kind: 'draw-segment',
      targetPath: targetPath!,
      planPath: planPath!,
      sources: filesOfSources(sources, photos),
      segment: partRun.part.position,
      container,
      size,
      restore,
      label,
      hardware: options.hardware,
      maxPixels: options.settings.maxPixels,
      networks,
    })),
  );
}

/** Joins the segments to the finished film and stores it. */
export async function performJoin(partRun: PartRun, options: SlotOptions): Promise<MadeFilm> {
  const work = partRun.part.work as JoinWork;
  const { plan, segments, container, networks } = work;
  const drawer = drawnBy(await options.engine.whenReady(), networks?.swapper);
  const inputs = [plan, ...segments].map(made);
  const output = partRun.newOutput();
  return withTarget(work, partRun, options, inputs, async ([targetPath, planPath, ...segmentPaths]) => {
    const made = await options.engine.run(
      {
        kind: 'join-film',
        targetPath: targetPath!,
        planPath: planPath!,
        segmentPaths,
        container,
        hardware: options.hardware,
        outputPath: output.scratchPath,
        watermark: output.watermark,
      },
      { ...controlOf(partRun), drawnBy: drawer },
    );
    partRun.leave();
    const stored = await output.store(made);
    // The engine may be hostile: only the members that it may tell are taken.
    const { contentType, width, height, durationSeconds, sizeBytes, sha256, audio } = made;
    return { contentType, width, height, durationSeconds, sizeBytes, sha256, audio, ...stored };
  });
}

/** Runs a job whose output is only read by other parts of the film. */
async function make<J extends EngineJob>(
  partRun: PartRun,
  { engine }: SlotOptions,
  job: (outputPath: string, watermark: string | undefined) => J,
): Promise<EngineOutcome<J> & MadeFile> {
  const output = partRun.newOutput();
  const outcome = await engine.run(job(output.scratchPath, output.watermark), controlOf(partRun));
  partRun.leave();
  const { size } = await stat(output.scratchPath);
  const file = { contentType: 'application/octet-stream', sizeBytes: size };
  const { objectKey } = await output.store(file, 'temporary');
  return { ...outcome, objectKey };
}

function controlOf({ signal, onProgress }: PartRun): {
  readonly signal: AbortSignal;
  readonly onProgress: (share: number, frames?: { readonly done: number }) => void;
} {
  return {
    signal,
    onProgress: (share, frames) => {
      const progress: FilmPartProgress = { share, ...(frames === undefined ? {} : { frames: frames.done }) };
      onProgress(progress);
    },
  };
}

/**
 * Calls `use` with local copies of the film and other files. The film's copy is kept for the next
 * part.
 */
function withTarget<T>(
  { target }: { readonly target: RestingInput },
  { part }: PartRun,
  { storage, sharedWork }: SlotOptions,
  inputs: readonly (RestingInput | LocalInput)[],
  use: (paths: readonly string[]) => Promise<T>,
): Promise<T> {
  return sharedWork.use(part.taskId, target, ({ input }) => withInputs(storage, [input, ...inputs], use));
}

function made({ objectKey }: MadeFile): RestingInput {
  return { field: 'part of the video', objectKey };
}
