import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EngineProcess } from '@guise/engine-host/parent/engine-process.ts';
import { BLANK_SIGNER } from '@guise/engine-host/protocol/blank-signer.ts';
import type { EngineJob, EngineOutcome } from '@guise/engine-host/protocol/engine-job.ts';
import { round } from '../report/figures.ts';
import type { BenchPictures } from '../pictures.ts';
import { makeTalk } from '../video-speed.ts';
import type { FilmStep } from '@guise/server/tasks/parts/part.ts';
import type { FilmTimes, JobTime } from '../capacity/sim/measured.ts';
import { type ProcessTime, processTime, scheduledTime } from './process-time.ts';

const WARM_UPS = 20;
const STILLS = 40;
/** Shortest length of a film that is cut into segments. */
const FILM_SECONDS = 61;
const FRAMES_A_SECOND = 25;
const FILM_SHORT_SIDE = 720;
/** Films of which each step is measured; the first one warms up. */
const FILMS = 2;
const RESTORE = { faceRestoreVisibility: 0.85, restoreVisibility: 0.7 };
const MAX_PIXELS = 100_000_000;

/** Times of an engine for photos and items of batches. */
export interface StillsTimes {
  readonly start: JobTime;
  readonly photos: readonly JobTime[];
  readonly items: readonly JobTime[];
}

/** Measures the CPU times of one engine process for stills, warm. */
export async function measureStills(
  folder: string,
  modelCacheDir: string,
  pictures: BenchPictures,
): Promise<StillsTimes> {
  return await withEngine(modelCacheDir, async (engine) => {
    const start = rounded(processTime(engine.pid!));
    const [sourcePath, targetPath] = [path.join(folder, 'source.jpg'), path.join(folder, 'target.jpg')];
    await Promise.all([writeFile(sourcePath, pictures.source), writeFile(targetPath, pictures.target)]);
    const photos = await stills(engine, folder, { sourcePath, targetPath });
    const items = await stills(engine, folder, { sourcePath, targetPath, shared: 'source' });
    return { start, photos, items };
  });
}

/**
 * Measures the CPU times of one engine process for a film, warm.
 * @throws Error without node-av
 */
export async function measureFilm(
  folder: string,
  modelCacheDir: string,
  pictures: BenchPictures,
  say: (what: string) => void,
): Promise<FilmTimes> {
  say('a film');
  const [film, sourcePath] = [path.join(folder, 'film.mp4'), path.join(folder, 'source.jpg')];
  await writeFile(sourcePath, pictures.source);
  if (!(await makeTalk(film, FILM_SHORT_SIDE, FILM_SECONDS * FRAMES_A_SECOND)))
    throw new Error('Films are measured with node-av, which is not installed.');
  return await withEngine(modelCacheDir, (engine) => stepsOf(engine, folder, film, sourcePath, say));
}

async function withEngine<T>(modelCacheDir: string, use: (engine: EngineProcess) => Promise<T>): Promise<T> {
  const engine = new EngineProcess({ modelCacheDir, currentSigner: () => BLANK_SIGNER, user: null });
  try {
    await engine.whenReady();
    return await use(engine);
  } finally {
    await engine.close();
  }
}

/** @returns the times of each, rising */
async function stills(
  engine: EngineProcess,
  folder: string,
  files: { readonly sourcePath: string; readonly targetPath: string; readonly shared?: 'source' },
): Promise<JobTime[]> {
  const outputPath = path.join(folder, 'out.jpg');
  const job = { kind: 'swap-image', ...files, outputPath, restore: RESTORE, maxPixels: MAX_PIXELS } as const;
  const times: JobTime[] = [];
  for (let run = -WARM_UPS; run < STILLS; run++) {
    const before = exactTime(engine.pid!);
    await engine.run(job);
    if (run >= 0) times.push(timeSince(before, exactTime(engine.pid!)));
  }
  return times.toSorted((a, b) => a.cpu - b.cpu);
}

async function stepsOf(
  engine: EngineProcess,
  folder: string,
  targetPath: string,
  sourcePath: string,
  say: (what: string) => void,
): Promise<FilmTimes> {
  const at = (name: string): string => path.join(folder, name);
  const photo = { sourcePath, maxPixels: MAX_PIXELS };
  const wish = { targetPath, container: 'mp4', size: {} } as const;
  say('a film in one pass');
  let onePass: JobTime = { cpu: 0, main: 0 };
  const swap = {
    kind: 'swap-video',
    ...photo,
    ...wish,
    restore: RESTORE,
    outputPath: at('one.mp4'),
  } as const;
  for (let film = 0; film < FILMS; film++) onePass = (await timed(engine, swap)).time;

  say('a film in segments');
  let steps: Record<FilmStep, JobTime[]> = { cut: [], study: [], choose: [], draw: [], join: [] };
  for (let film = 0; film < FILMS; film++) {
    steps = { cut: [], study: [], choose: [], draw: [], join: [] };
    const run = async <J extends EngineJob>(step: FilmStep, job: J): Promise<EngineOutcome<J>> => {
      const { outcome, time } = await timed(engine, job);
      steps[step].push(time);
      return outcome;
    };
    const [cutPath, planPath] = [at('cut'), at('plan')];
    const cut = await run('cut', { kind: 'cut-film', ...photo, targetPath, outputPath: cutPath });
    const studyPaths = numbered(cut.segments, (k) => at(`study-${k}`));
    for (const [segment, outputPath] of studyPaths.entries())
      await run('study', { kind: 'study-segment', ...wish, cutPath, segment, outputPath });
    const chosen = await run('choose', { kind: 'choose-faces', cutPath, studyPaths, outputPath: planPath });
    const segmentPaths = numbered(chosen.segments, (k) => at(`segment-${k}`));
    for (const [segment, outputPath] of segmentPaths.entries())
      await run('draw', {
        kind: 'draw-segment',
        ...wish,
        ...photo,
        restore: RESTORE,
        planPath,
        segment,
        outputPath,
      });
    await run('join', { kind: 'join-film', ...wish, planPath, segmentPaths, outputPath: at('film-out.mp4') });
  }
  const size = `1280 x ${FILM_SHORT_SIDE}, ${FRAMES_A_SECOND} frames/s`;
  return { seconds: FILM_SECONDS, size, onePass, steps };
}

async function timed<J extends EngineJob>(
  engine: EngineProcess,
  job: J,
): Promise<{ outcome: EngineOutcome<J>; time: JobTime }> {
  const before = processTime(engine.pid!);
  const outcome = await engine.run(job);
  return { outcome, time: timeSince(before, processTime(engine.pid!)) };
}

/** Time of a process whose threads last, finer than the ticks of `processTime`. */
function exactTime(pid: number): ProcessTime {
  return { ...processTime(pid), cpuSeconds: scheduledTime(pid).ranSeconds };
}

function timeSince(before: ProcessTime, after: ProcessTime): JobTime {
  return rounded({
    cpuSeconds: after.cpuSeconds - before.cpuSeconds,
    mainSeconds: after.mainSeconds - before.mainSeconds,
  });
}

function rounded({ cpuSeconds, mainSeconds }: ProcessTime): JobTime {
  return { cpu: round(cpuSeconds), main: round(mainSeconds) };
}

function numbered<T>(count: number, make: (k: number) => T): T[] {
  return Array.from({ length: count }, (_, k) => make(k));
}
