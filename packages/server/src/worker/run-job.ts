import type { Face } from '@guise/engine/face/face.ts';
import type { Engine } from '@guise/engine/pipeline/engine.ts';
import { decodeImage, type DecodedImage } from '@guise/media/image/decode.ts';
import { encodeImage } from '@guise/media/image/encode.ts';
import { MediaError } from '@guise/media/media-error.ts';
import { signStill } from '@guise/media/provenance/sign-still.ts';
import type { SigningIdentity } from '@guise/media/provenance/signing-identity.ts';
import type { DetectedFace } from '../tasks/task.ts';
import type {
  DetectFacesJob,
  DetectFacesOutcome,
  EngineJob,
  OutputFormat,
  SwapImageJob,
  SwapImageOutcome,
  SwapVideoOutcome,
} from './engine-job.ts';
import { SWAP_CLAIM } from './swap-claim.ts';
import { mediaFailure } from './media-failure.ts';
import { swapVideo } from './swap-video-job.ts';

export interface JobTools {
  readonly engine: Engine;
  /** Every output carries its credentials. */
  readonly identity: SigningIdentity;
}

export interface JobControl {
  readonly signal: AbortSignal;
  /** 0..1, never decreasing. */
  readonly onProgress: (progress: number) => void;
}

/**
 * Files in, files out: decode, engine, encode, sign. Runs in the engine process only, because it opens whatever a stranger sent.
 * @throws TaskFailure for everything a client may be told.
 */
export async function runJob(
  tools: JobTools,
  job: EngineJob,
  control: JobControl,
): Promise<SwapImageOutcome | SwapVideoOutcome | DetectFacesOutcome> {
  switch (job.kind) {
    case 'swap-image':
      return swapImage(tools, job, control);
    case 'swap-video':
      return swapVideo(tools, job, control);
    case 'detect-faces':
      return detectFaces(tools, job, control);
  }
}

async function swapImage(
  { engine, identity }: JobTools,
  job: SwapImageJob,
  { signal, onProgress }: JobControl,
): Promise<SwapImageOutcome> {
  const started = performance.now();
  // Both at once: decoding is native code on other threads. Settled, so that the source's failure is always the one told.
  const [sourceDecoding, targetDecoding] = await Promise.allSettled([
    decode('source image', job.sourcePath, job.maxPixels),
    decode('target image', job.targetPath, job.maxPixels),
  ]);
  const source = settled(sourceDecoding);
  const target = settled(targetDecoding);
  signal.throwIfAborted();
  onProgress(0.2);

  const decoded = performance.now();
  const swapped = await engine.swapImage({
    source: source.rgb,
    target: target.rgb,
    faceRestoreVisibility: job.restore.faceRestoreVisibility,
    restoreVisibility: job.restore.restoreVisibility,
    ...(job.faceIndex === undefined ? {} : { faceIndex: job.faceIndex }),
    signal,
  });
  signal.throwIfAborted();
  onProgress(0.8);

  const engineEnded = performance.now();
  let signMs = 0;
  const encoded = await encodeImage(
    { rgb: swapped.image, alpha: target.alpha },
    job.outputFormat ?? formatLike(target),
    job.outputPath,
    async (bytes, contentType) => {
      const signing = performance.now();
      const signed = await signStill(bytes, contentType, identity, SWAP_CLAIM);
      signMs = performance.now() - signing;
      return signed;
    },
  );
  onProgress(1);
  const ended = performance.now();
  return {
    contentType: encoded.contentType,
    width: encoded.width,
    height: encoded.height,
    sizeBytes: encoded.sizeBytes,
    sha256: encoded.sha256,
    facesFound: swapped.facesFound,
    swappedFaceIndex: swapped.swappedFaceIndex,
    identitySimilarity: swapped.identitySimilarity,
    timingsMs: {
      decode: decoded - started,
      engine: engineEnded - decoded,
      ...swapped.timingsMs,
      encode: ended - engineEnded - signMs,
      sign: signMs,
      total: ended - started,
    },
  };
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

function formatLike(target: DecodedImage): OutputFormat {
  return target.format === 'jpeg' || target.format === 'webp' ? target.format : 'png';
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
