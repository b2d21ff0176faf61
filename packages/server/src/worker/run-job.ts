import { TaskFailure } from '@guise/contract/errors.ts';
import type { Face } from '@guise/engine/face/face.ts';
import type { Engine } from '@guise/engine/pipeline/engine.ts';
import type { AdditionalSource, SeenSource } from '@guise/engine/pipeline/source-photos.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { releaseImage } from '@guise/kernels/pyramid.ts';
import { decodeImage, type DecodedImage } from '@guise/media/image/decode.ts';
import { encodeImage, type EncodedFile } from '@guise/media/image/encode.ts';
import { reduceToLongSide } from '@guise/media/image/reduce.ts';
import { MediaError } from '@guise/media/media-error.ts';
import { loadC2pa } from '@guise/media/provenance/c2pa-module.ts';
import { signStill } from '@guise/media/provenance/sign-still.ts';
import type { SigningIdentity } from '@guise/media/provenance/signing-identity.ts';
import { matchFaces } from '../tasks/match-faces.ts';
import type { DetectedFace } from '../tasks/task.ts';
import type {
  AnyOutcome,
  DetectFacesJob,
  DetectFacesOutcome,
  EngineJob,
  OnProgress,
  StillOutcome,
  SwapGroupJob,
  SwapImageJob,
  SwapImageOutcome,
} from './engine-job.ts';
import type { KeptImage, LoadedImage } from './kept-image.ts';
import { lowestSimilarity } from './lowest-similarity.ts';
import { mediaFailure } from './media-failure.ts';
import { SWAP_CLAIM } from './swap-claim.ts';
import { swapVideo } from './swap-video-job.ts';

export interface JobTools {
  readonly engine: Engine;
  /** Every output carries its credentials. */
  readonly identity: SigningIdentity;
  /** What the items of a batch have in common. */
  readonly kept: KeptImage;
}

export interface JobControl {
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
  /** The result only has to be written: another job may begin. */
  readonly onWriting?: () => void;
  /** See `JobControl` of the engine process. */
  readonly onSeen?: (seen: SeenSource) => void;
  readonly seenSource?: Promise<SeenSource | null>;
}

/** A larger picture has the engine's memory to itself until it is written. */
const MOST_PIXELS_BESIDE = 16_000_000;

/**
 * Files in, files out: decode, engine, encode, sign. Runs in the engine process only, because it opens whatever a stranger sent.
 * @throws TaskFailure for everything a client may be told.
 */
export async function runJob(tools: JobTools, job: EngineJob, control: JobControl): Promise<AnyOutcome> {
  // Compiled on other threads while the first still is made; of a clip, the memory is free again when it is signed. Whoever
  // signs is told of an error.
  if (job.kind === 'swap-image' || job.kind === 'swap-group') loadC2pa().catch(() => {});
  switch (job.kind) {
    case 'swap-image':
      return swapImage(tools, job, control);
    case 'swap-group':
      return swapGroup(tools, job, control);
    case 'swap-video':
      return swapVideo(tools, job, control);
    case 'detect-faces':
      return detectFaces(tools, job, control);
  }
}

async function swapImage(
  { engine, identity, kept }: JobTools,
  job: SwapImageJob,
  { signal, onProgress, onWriting, onSeen, seenSource }: JobControl,
): Promise<SwapImageOutcome> {
  const started = performance.now();
  const lookAtSource = async (image: RgbImage): Promise<readonly Face[]> => {
    const told = await seenSource;
    if (told) {
      engine.recallSource(told);
      return told.faces;
    }
    const seen = await engine.lookAtSource(image);
    if (job.shared === 'source') onSeen?.(seen);
    return seen.faces;
  };
  const load = async (part: 'source' | 'target', path: string): Promise<LoadedImage> => {
    const decoding = async (): Promise<DecodedImage> => {
      const image = await decode(`${part} image`, path, job.maxPixels);
      if (part === 'source' || job.maxLongSide === undefined) return image;
      const reduced = await reduceToLongSide(image, job.maxLongSide);
      if (reduced.rgb !== image.rgb) releaseImage(image.rgb);
      return { ...image, ...reduced };
    };
    const looking = async (): Promise<LoadedImage> => {
      const image = await decoding();
      return { image, faces: await (part === 'source' ? lookAtSource(image.rgb) : engine.detect(image.rgb)) };
    };
    if (job.shared === part) return kept.get(path, looking);
    // A source is small and soon decoded: it is looked at while a target still is being decoded; or a target while somebody
    // else looks at the source.
    return part === 'source' || seenSource !== undefined ? looking() : { image: await decoding() };
  };
  if (job.shared === undefined) kept.forget();
  // Both at once: decoding is native code on other threads. Settled, so that the source's failure is always the one told.
  const [sourceLoading, targetLoading] = await Promise.allSettled([
    load('source', job.sourcePath),
    load('target', job.targetPath),
  ]);
  const { image: source, faces: sourceFaces } = settled(sourceLoading);
  const { image: target, faces: targetFaces } = settled(targetLoading);
  signal.throwIfAborted();
  onProgress(0.2);

  const decoded = performance.now();
  const swapped = await engine.swapImage({
    source: source.rgb,
    target: target.rgb,
    drawOver: job.shared !== 'target',
    additionalSources: additionalSources(job),
    faceRestoreVisibility: job.restore.faceRestoreVisibility,
    restoreVisibility: job.restore.restoreVisibility,
    ...(job.faceIndex === undefined ? {} : { faceIndex: job.faceIndex }),
    ...(sourceFaces === undefined ? {} : { sourceFaces }),
    ...(targetFaces === undefined ? {} : { targetFaces }),
    signal,
  });
  signal.throwIfAborted();
  onProgress(0.8);
  if (swapped.image.width * swapped.image.height <= MOST_PIXELS_BESIDE) onWriting?.();

  const engineEnded = performance.now();
  // Both at once: encoding is native code on other threads. Settled, so that nothing is written after the job has failed.
  const [writing, measuring] = await Promise.allSettled([
    writeOutput(swapped.image, target, job, identity),
    swapped.measureIdentity(),
  ]);
  releaseImage(swapped.image);
  if (job.shared !== 'target') releaseImage(target.rgb);
  if (job.shared !== 'source') releaseImage(source.rgb);
  const { encoded, signMs } = settled(writing);
  const identitySimilarity = settled(measuring);
  onProgress(1);
  const ended = performance.now();
  return {
    ...encoded,
    facesFound: swapped.facesFound,
    swappedFaceIndex: swapped.swappedFaceIndex,
    identitySimilarity,
    sourceShares: swapped.sourceShares,
    timingsMs: {
      // The look at the source among it.
      decode: decoded - started,
      engine: engineEnded - decoded,
      ...swapped.timingsMs,
      encode: ended - engineEnded - signMs,
      sign: signMs,
      total: ended - started,
    },
  };
}

/** Decoded when their turn comes. */
export function additionalSources({
  additionalSources: files = [],
  maxPixels,
}: Pick<SwapImageJob, 'additionalSources' | 'maxPixels'>): AdditionalSource[] {
  return files.map(({ name, path }) => ({
    name,
    image: async () => (await decode(name, path, maxPixels)).rgb,
  }));
}

async function swapGroup(
  { engine, identity }: JobTools,
  job: SwapGroupJob,
  { signal, onProgress }: JobControl,
): Promise<StillOutcome> {
  const { maxPixels, replacements } = job;
  const target = await decode('group photo', job.targetPath, maxPixels);
  signal.throwIfAborted();
  const targetFaces = await engine.detect(target.rgb);
  if (targetFaces.length === 0) {
    throw new TaskFailure('NO_FACE_DETECTED', 'No face was found in the group photo.');
  }
  const faceIndexes = matchFaces(
    replacements.map(({ box }) => box),
    targetFaces.map(describeFace),
  );
  onProgress(0.2);
  const { image, identitySimilarities } = await engine.swapGroup({
    target: target.rgb,
    targetFaces,
    replacements: replacements.map(({ name, sourcePath }, at) => ({
      name,
      source: async () => (await decode(name, sourcePath, maxPixels)).rgb,
      faceIndex: faceIndexes[at]!,
    })),
    faceRestoreVisibility: job.restore.faceRestoreVisibility,
    restoreVisibility: job.restore.restoreVisibility,
    onSwapped: (count) => onProgress(0.2 + (0.6 * count) / replacements.length),
    signal,
  });
  signal.throwIfAborted();
  const { encoded } = await writeOutput(image, target, job, identity);
  releaseImage(image);
  releaseImage(target.rgb);
  onProgress(1);
  return {
    ...encoded,
    facesFound: targetFaces.length,
    identitySimilarity: lowestSimilarity(identitySimilarities),
  };
}

/** A signed file: in the target's own format where that is JPEG or WebP, else PNG (decisions: Output type, Provenance). */
async function writeOutput(
  image: RgbImage,
  target: DecodedImage,
  { outputFormat, outputPath }: Pick<SwapImageJob, 'outputFormat' | 'outputPath'>,
  identity: SigningIdentity,
): Promise<{ encoded: EncodedFile; signMs: number }> {
  const format =
    outputFormat ?? (target.format === 'jpeg' || target.format === 'webp' ? target.format : 'png');
  let signMs = 0;
  const encoded = await encodeImage(
    { rgb: image, alpha: target.alpha },
    format,
    outputPath,
    async (bytes, contentType) => {
      const signing = performance.now();
      const signed = await signStill(bytes, contentType, identity, SWAP_CLAIM);
      signMs = performance.now() - signing;
      return signed;
    },
  );
  return { encoded, signMs };
}

async function detectFaces(
  { engine }: JobTools,
  job: DetectFacesJob,
  { signal, onProgress }: JobControl,
): Promise<DetectFacesOutcome> {
  const images = [];
  for (const [index, { name, path }] of job.images.entries()) {
    const { rgb } = await decode(name === 'image' ? name : `${name} image`, path, job.maxPixels);
    signal.throwIfAborted();
    const faces = await engine.detect(rgb);
    signal.throwIfAborted();
    releaseImage(rgb);
    images.push({
      name,
      width: rgb.width,
      height: rgb.height,
      faces: faces.map(describeFace),
    });
    onProgress((index + 1) / job.images.length);
  }
  return { images };
}

function describeFace(face: Face, faceIndex: number): DetectedFace {
  const { x, y, width, height } = face.box;
  const { yaw, pitch, roll } = face.pose;
  return { faceIndex, x, y, width, height, score: face.score, yaw, pitch, roll };
}

async function decode(what: string, path: string, maxPixels: number): Promise<DecodedImage> {
  try {
    return await decodeImage(path, { maxPixels });
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    throw mediaFailure(what, error);
  }
}

function settled<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
