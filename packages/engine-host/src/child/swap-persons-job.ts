import { framesOfPart } from '@guise/contract/clip-part.ts';
import { TaskFailure } from '@guise/contract/errors.ts';
import type { ClipPart } from '@guise/contract/work.ts';
import type { ClipPerson } from '@guise/engine/pipeline/clip-look.ts';
import type { Engine } from '@guise/engine/pipeline/engine.ts';
import type { FaceAnchor } from '@guise/engine/pipeline/mapped-persons.ts';
import type { MappedSwap, PersonMapping } from '@guise/engine/pipeline/mapped-swap.ts';
import { probeVideo } from '@guise/media/clip/probe.ts';
import { processVideo } from '@guise/media/clip/process-video.ts';
import { showFrames } from '@guise/media/clip/show-frames.ts';
import type { SwapPersonsJob, SwapPersonsOutcome } from '../protocol/engine-job.ts';
import { CLIP_LIMITS } from './clip-limits.ts';
import { decodePhoto } from './decode-photo.ts';
import { describeSwapped } from './describe-face.ts';
import type { JobHooks, JobTools } from './job-tools.ts';
import { personsOfClip } from './look-at-clip-job.ts';
import { readable } from './media-failure.ts';
import { reportSparingly } from './report-progress.ts';
import { sealClip } from './seal-clip.ts';

/** Progress when all frames have been looked at and none has been drawn. */
const LOOK_SHARE = 0.4;

/**
 * Swaps several people of a clip, from file to file. Call it only in the engine process, because it
 * opens untrusted files.
 * @throws TaskFailure for every error that a client may see
 */
export async function swapPersons(
  { engine }: JobTools,
  job: SwapPersonsJob,
  { signal, signer, onProgress }: JobHooks,
): Promise<SwapPersonsOutcome> {
  const started = performance.now();
  const report = reportSparingly(onProgress);
  const what = job.container === 'gif' ? 'target GIF' : 'target video';
  const probe = await readable(what, () => probeVideo(job.targetPath, CLIP_LIMITS));
  const mappings = await readable(what, () => findAnchors(engine, job, what, signal));
  const swap = await openSwap(engine, job, mappings);
  try {
    signal.throwIfAborted();
    const total = framesOfPart(job.options.part, probe);
    onProgress(0, { done: 0, total });
    const clip = {
      inputPath: job.targetPath,
      container: job.container,
      ...job.options.size,
      limits: CLIP_LIMITS,
      part: job.options.part,
      signal,
    };
    let shown = 0;
    await readable(what, () =>
      showFrames({
        ...clip,
        onFrame: async (frame) => {
          await swap.look(frame);
          shown += 1;
          report(LOOK_SHARE * Math.min(1, shown / total), { done: 0, total });
        },
      }),
    );
    await swap.choose();
    const made = await readable(what, () =>
      processVideo({
        ...clip,
        outputPath: job.outputPath,
        onFrame: (frame) => swap.draw(frame),
        onProgress: ({ fraction, framesDone }) =>
          report(LOOK_SHARE + (1 - LOOK_SHARE) * fraction, {
            done: Math.min(framesDone, shown),
            total: shown,
          }),
      }),
    );
    onProgress(1, { done: made.frameCount, total: made.frameCount });
    const sealed = await sealClip(job.outputPath, made.contentType, signer);
    const { timingsMs, sources, ...receipt } = swap.receipt();
    const { contentType, width, height, durationSeconds, audio } = made;
    return {
      ...receipt,
      swapped: sources.map((source) => describeSwapped({ source })),
      contentType,
      width,
      height,
      ...sealed,
      durationSeconds,
      audio,
      timingsMs: { ...timingsMs, total: performance.now() - started },
    };
  } finally {
    swap.close();
  }
}

/**
 * Opens the swap. This is a separate function, so that the photos can be freed while the clip is
 * processed.
 */
async function openSwap(
  engine: Engine,
  { mappings, maxPixels, options, networks }: SwapPersonsJob,
  found: readonly PersonMapping[],
): Promise<MappedSwap> {
  const sources = [];
  for (const { sourceName, sourcePath } of mappings)
    sources.push((await decodePhoto(sourceName, sourcePath, maxPixels)).rgb);
  return engine.openMappedSwap({ restore: options.restore, mappings: found, sources }, networks);
}

/**
 * Finds where each mapping's person is, in seconds of the wanted part.
 * @throws TaskFailure FACE_NOT_FOUND that names the mapping
 */
async function findAnchors(
  engine: Engine,
  { mappings, targetPath, options: { part } }: SwapPersonsJob,
  what: string,
  signal: AbortSignal,
): Promise<PersonMapping[]> {
  const isByIndex = mappings.some(({ face }) => 'personIndex' in face);
  const persons: readonly ClipPerson[] = isByIndex ? await personsOfClip(engine, targetPath, signal) : [];
  return mappings.map(({ name, sourceName, face }) => {
    const anchors = 'personIndex' in face ? sightingsOf(name, what, face.personIndex, persons) : [face];
    const inPart = anchors.flatMap((anchor) => inside(anchor, part));
    if (inPart.length === 0)
      throw new TaskFailure(
        'FACE_NOT_FOUND',
        `${name}: the person is not in the wanted part of the ${what}.`,
      );
    return { name, sourceName, anchors: inPart };
  });
}

function sightingsOf(
  name: string,
  what: string,
  personIndex: number,
  persons: readonly ClipPerson[],
): readonly FaceAnchor[] {
  const person = persons[personIndex];
  if (person !== undefined) return person.sightings;
  throw new TaskFailure(
    'FACE_NOT_FOUND',
    `${name}: the ${what} has no person with personIndex ${personIndex}; it has ${persons.length}.`,
  );
}

function inside(anchor: FaceAnchor, part: ClipPart | undefined): FaceAnchor[] {
  if (part === undefined) return [anchor];
  const { startSeconds, endSeconds } = part;
  if (anchor.seconds < startSeconds || anchor.seconds > endSeconds) return [];
  return [{ ...anchor, seconds: anchor.seconds - startSeconds }];
}
