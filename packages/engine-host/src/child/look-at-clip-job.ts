import {
  type ClipLook,
  type ClipPerson,
  MAX_FACES,
  personsOfLooks,
} from '@guise/engine/pipeline/clip-look.ts';
import type { Engine } from '@guise/engine/pipeline/engine.ts';
import { EMBEDDING_LENGTH } from '@guise/engine/face/detect/embedding.ts';
import { lookAtClip as look, MAX_LOOKS } from '@guise/media/clip/look-at-clip.ts';
import { probeVideo } from '@guise/media/clip/probe.ts';
import type { LookAtClipJob, LookAtClipOutcome, LooksSoFar } from '../protocol/engine-job.ts';
import type { JobHooks, JobTools } from './job-tools.ts';
import { CLIP_LIMITS } from './clip-limits.ts';
import { previewsOfClip } from './clip-previews.ts';
import { readable } from './media-failure.ts';

/**
 * Looks at a clip for some time to find who is in it, and returns where to continue.
 * @throws TaskFailure if the clip cannot be read
 */
export async function lookAtClip(
  { engine }: JobTools,
  job: LookAtClipJob,
  { signal, onProgress }: JobHooks,
): Promise<LookAtClipOutcome> {
  const began = performance.now();
  let firstMs: number | null = null;
  const goesOn = (): boolean => {
    const now = performance.now();
    firstMs ??= now - began;
    // The next slice would need the same time to come here, so this slice goes on for at least as
    // long.
    return now - began < Math.max(job.budgetMs, 2 * firstMs);
  };
  const { durationSeconds } = await readable(job.name, () => probeVideo(job.targetPath, CLIP_LIMITS));
  const { sofar, clip } = await readable(job.name, () =>
    takeLooks(engine, job.targetPath, checkLooks(job.sofar ?? NOTHING_YET), goesOn, signal),
  );
  onProgress(clip.next / clip.looks);
  const persons = personsOfLooks(sofar.looks, durationSeconds);
  const isComplete = clip.next === clip.looks;
  // The people count more than their pictures, which a damaged clip may not have.
  const previews =
    job.previews === 'always' || (job.previews === 'if-complete' && isComplete)
      ? await previewsOfClip(job.targetPath, sofar.looks, persons, signal).catch(() => null)
      : null;
  signal.throwIfAborted();
  return {
    sofar,
    isComplete,
    durationSeconds,
    width: clip.width,
    height: clip.height,
    preview: previews?.clip,
    persons: persons.map(({ best: { seconds, box, pose }, share, appearances }, personIndex) => ({
      personIndex,
      share,
      appearances,
      atSeconds: seconds,
      face: {
        faceIndex: personIndex,
        x: box.x * clip.width,
        y: box.y * clip.height,
        width: box.width * clip.width,
        height: box.height * clip.height,
        score: 1,
        ...pose,
      },
      preview: previews?.persons[personIndex],
    })),
  };
}

/**
 * One look in this many also searches for small or turned faces, if its picture has no clear face.
 */
const THOROUGH_EVERY = 6;
/** State before the first look. */
const NOTHING_YET: LooksSoFar = { next: 0, looks: [] };

/**
 * Checks what another slice has seen. An attacker may control the machine of that slice.
 * @throws Error if no slice could have seen it
 */
function checkLooks(sofar: LooksSoFar): LooksSoFar {
  const { next, looks } = sofar;
  const isRight =
    Number.isSafeInteger(next) &&
    next >= 0 &&
    Array.isArray(looks) &&
    looks.length <= MAX_LOOKS &&
    looks.every(({ seconds, faces }) => Number.isFinite(seconds) && isFaces(faces));
  if (!isRight) throw new Error('The saved state of this search for people is invalid.');
  return sofar;
}

function isFaces(faces: unknown): boolean {
  return (
    Array.isArray(faces) &&
    faces.length <= MAX_FACES &&
    (faces as ClipLook['faces']).every(
      ({ box, pose, embedding }) =>
        [box.x, box.y, box.width, box.height, pose.yaw, pose.pitch, pose.roll].every(Number.isFinite) &&
        (embedding === null || (embedding.length === EMBEDDING_LENGTH && embedding.every(Number.isFinite))),
    )
  );
}

/**
 * Finds who is in a clip, from all looks at it. The persons and their numbers are those of
 * `lookAtClip`.
 */
export async function personsOfClip(
  engine: Engine,
  targetPath: string,
  signal: AbortSignal,
): Promise<ClipPerson[]> {
  const { durationSeconds } = await probeVideo(targetPath, CLIP_LIMITS);
  const { sofar } = await takeLooks(engine, targetPath, NOTHING_YET, () => true, signal);
  return personsOfLooks(sofar.looks, durationSeconds);
}

/** Longest time between two looks with which the looks can prove that a clip has no face. */
const FACELESS_LOOK_SECONDS = 1;
/** Length of a clip, seconds, up to which such looks are quick enough. */
export const MAX_FACELESS_SECONDS = 180;
/** Number of those looks that also search for small or turned faces, which takes long. */
const THOROUGH_FACELESS_LOOKS = 3;
/**
 * If the time between looks is shorter than this, a face that only one look shows counts as a false
 * find.
 */
const FALSE_FIND_SECONDS = 0.25;

/**
 * Returns whether a clip has no face, by looks at it. Returns false for a clip that is too long to
 * tell.
 */
export async function isFaceless(engine: Engine, targetPath: string, signal: AbortSignal): Promise<boolean> {
  const { durationSeconds } = await probeVideo(targetPath, CLIP_LIMITS);
  if (durationSeconds > MAX_FACELESS_SECONDS) return false;
  const mostLooks = Math.max(MAX_LOOKS, Math.ceil(durationSeconds / FACELESS_LOOK_SECONDS));
  const lookSeconds = durationSeconds / mostLooks;
  const falseFinds = lookSeconds < FALSE_FIND_SECONDS ? 1 : 0;
  let finds = 0;
  const goesOn = (): boolean => finds <= falseFinds;
  const onFaces = (faces: ClipLook['faces']): void => {
    if (faces.length > 0) finds += 1;
  };
  await takeLooks(engine, targetPath, NOTHING_YET, goesOn, signal, {
    mostLooks,
    thoroughEvery: Math.ceil(mostLooks / THOROUGH_FACELESS_LOOKS),
    onFaces,
  });
  return goesOn();
}

async function takeLooks(
  engine: Engine,
  targetPath: string,
  { next: from, looks: before }: LooksSoFar,
  goesOn: () => boolean,
  signal: AbortSignal,
  {
    mostLooks,
    thoroughEvery = THOROUGH_EVERY,
    onFaces,
  }: {
    readonly mostLooks?: number;
    readonly thoroughEvery?: number;
    readonly onFaces?: (faces: ClipLook['faces']) => void;
  } = {},
) {
  const looks: ClipLook[] = [...before];
  const clip = await look({
    inputPath: targetPath,
    limits: CLIP_LIMITS,
    mostLooks,
    from,
    signal,
    goesOn,
    onLook: async (frame) => {
      const faces = await engine.lookAtFrame(frame, looks.length % thoroughEvery === 0);
      looks.push({ seconds: frame.timeSeconds, faces });
      onFaces?.(faces);
    },
  });
  return { sofar: { next: clip.next, looks }, clip };
}
