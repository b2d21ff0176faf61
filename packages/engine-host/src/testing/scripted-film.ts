import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AnyOutcome, EngineJob } from '../protocol/engine-job.ts';

/** Any job of a film. */
type FilmJob = Extract<
  EngineJob,
  { kind: 'cut-film' | 'study-segment' | 'choose-faces' | 'draw-segment' | 'join-film' }
>;

/** Number of segments of every scripted film. */
export const SCRIPTED_SEGMENTS = 4;
/** Number of frames of each segment. */
const SEGMENT_FRAMES = 25;

/** Returns whether a job is one of a film. */
export function isFilmJob(job: EngineJob): job is FilmJob {
  return ['cut-film', 'study-segment', 'choose-faces', 'draw-segment', 'join-film'].includes(job.kind);
}

/**
 * Does a job of a film as its target says: `film FOLDER`. The job writes its name, such as
 * `draw-segment 2 PID`, to the folder. It waits while a file `hold draw-segment 2` is there, and
 * fails if a file `fail draw-segment 2` is there.
 * @returns null to fail
 */
export async function scriptedFilm(
  job: FilmJob,
  onProgress: (progress: number) => void,
): Promise<AnyOutcome | null> {
  const script = readFileSync(job.kind === 'choose-faces' ? job.cutPath : job.targetPath, 'utf8');
  const [, folder = ''] = script.trim().split(' ');
  const segment = 'segment' in job ? job.segment : 0;
  const name = `${job.kind} ${segment}`;
  let at = 0;
  while (existsSync(path.join(folder, `${name} ${process.pid} ${at}`))) at += 1;
  writeFileSync(path.join(folder, `${name} ${process.pid} ${at}`), '');
  onProgress(0.5);
  while (existsSync(path.join(folder, `hold ${name}`)))
    await new Promise((resolve) => setTimeout(resolve, 5));
  if (existsSync(path.join(folder, `fail ${name}`))) return null;
  const { content, outcome } = make(job, script, segment);
  writeFileSync(job.outputPath, content);
  return outcome;
}

/** @throws Error if a file of an earlier part has unexpected content */
function make(job: FilmJob, script: string, segment: number): { content: string; outcome: AnyOutcome } {
  const total = SCRIPTED_SEGMENTS * SEGMENT_FRAMES;
  switch (job.kind) {
    case 'cut-film':
      return { content: script, outcome: { segments: SCRIPTED_SEGMENTS, frames: total, swapped: [] } };
    case 'study-segment':
      expect(read(job.cutPath), script);
      return { content: `study ${segment}`, outcome: {} };
    case 'choose-faces':
      for (const [k, filePath] of job.studyPaths.entries()) expect(read(filePath), `study ${k}`);
      return {
        content: 'plan',
        outcome: {
          segments: SCRIPTED_SEGMENTS,
          facesFound: 1,
          frames: { total, swapped: total, bridged: 0, passedThrough: 0 },
          longestGapFrames: 0,
          persons: [{ framesSwapped: total, longestGapFrames: 0 }],
        },
      };
    case 'draw-segment':
      expect(read(job.planPath), 'plan');
      return {
        content: `segment ${segment}`,
        outcome: {
          frames: SEGMENT_FRAMES,
          persons: [{ similarities: [0.1 * segment], sourceShares: [1] }],
        },
      };
    case 'join-film': {
      const content = job.segmentPaths.map(read).join(', ');
      return {
        content,
        outcome: {
          contentType: 'video/mp4',
          width: 2,
          height: 2,
          durationSeconds: 100,
          sizeBytes: content.length,
          sha256: '',
          audio: 'none',
        },
      };
    }
  }
}

function read(filePath: string): string {
  return readFileSync(filePath, 'utf8');
}

function expect(found: string, wanted: string): void {
  if (found !== wanted) throw new Error(`"${found}" is not "${wanted}"`);
}
