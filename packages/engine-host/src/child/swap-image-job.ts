import type { Face } from '@guise/engine/face/face.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { releaseImage } from '@guise/kernels/scale/pyramid.ts';
import type { DecodedImage } from '@guise/media/image/decode.ts';
import { reduceToLongSide } from '@guise/media/image/reduce.ts';
import { additionalSources, decodePhoto } from './decode-photo.ts';
import type { SwapImageJob, SwapImageOutcome } from '../protocol/engine-job.ts';
import type { JobHooks, JobTools } from './job-tools.ts';
import type { LoadedImage } from './shared-image-cache.ts';
import { writeStill } from './write-still.ts';

/** A larger picture has the engine's memory to itself until it is written. */
const MOST_PIXELS_BESIDE = 16_000_000;

/** One photo, or one item of a batch. */
export async function swapImage(
  { engine, sharedImages }: JobTools,
  job: SwapImageJob,
  { signal, signer, onProgress, onWriting, onSourceAnalysis, sourceAnalysis }: JobHooks,
): Promise<SwapImageOutcome> {
  const started = performance.now();
  const analyseSource = async (image: RgbImage): Promise<readonly Face[]> => {
    const known = await sourceAnalysis;
    if (known) {
      engine.rememberSourceAnalysis(known);
      return known.faces;
    }
    const analysis = await engine.analyseSource(image);
    if (job.shared === 'source') onSourceAnalysis?.(analysis);
    return analysis.faces;
  };
  const load = async (part: 'source' | 'target', path: string): Promise<LoadedImage> => {
    const decoding = async (): Promise<DecodedImage> => {
      const image = await decodePhoto(`${part} image`, path, job.maxPixels);
      if (part === 'source' || job.maxLongSide === undefined) return image;
      const reduced = await reduceToLongSide(image, job.maxLongSide);
      if (reduced.rgb !== image.rgb) releaseImage(image.rgb);
      return { ...image, ...reduced };
    };
    const looking = async (): Promise<LoadedImage> => {
      const image = await decoding();
      return {
        image,
        faces: await (part === 'source' ? analyseSource(image.rgb) : engine.detect(image.rgb)),
      };
    };
    if (job.shared === part) return sharedImages.get(job.sharedName ?? path, looking);
    // A source is small and soon decoded: it is looked at while a target still is being decoded; or
    // a target while somebody else looks at the source.
    return part === 'source' || sourceAnalysis !== undefined ? looking() : { image: await decoding() };
  };
  if (job.shared === undefined) sharedImages.forget();
  // Both at once: decoding is native code on other threads. Settled, so that the source's failure
  // is always the one told.
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
  // Both at once: encoding is native code on other threads. Settled, so that nothing is written
  // after the job has failed.
  const [writing, measuring] = await Promise.allSettled([
    writeStill(swapped.image, target, job, signer),
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

function settled<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
