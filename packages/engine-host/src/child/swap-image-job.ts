import type { Face } from '@guise/engine/face/geometry/face.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { releaseImage } from '@guise/kernels/scale/pyramid.ts';
import type { DecodedImage } from '@guise/media/image/decode.ts';
import { reduceToLongSide } from '@guise/media/image/reduce.ts';
import { additionalSources, decodePhoto } from './decode-photo.ts';
import { describeSwapped } from './describe-face.ts';
import type { SwapImageJob, SwapImageOutcome } from '../protocol/engine-job.ts';
import type { JobHooks, JobTools } from './job-tools.ts';
import type { LoadedImage } from './shared-image-cache.ts';
import { thumbnailOfStill } from './thumbnails.ts';
import { writeStill } from './write-still.ts';

/**
 * Size up to which another job may begin while an image is being written. A larger image needs the
 * engine's memory alone.
 */
const MAX_SHARING_PIXELS = 16_000_000;

/** Swaps the face of one photo, or of one item of a batch. */
export async function swapImage(
  { engine, sharedImages }: JobTools,
  job: SwapImageJob,
  { signal, signer, onProgress, onWriting, onSourceAnalysis, sourceAnalysis }: JobHooks,
): Promise<SwapImageOutcome> {
  const { options } = job;
  const started = performance.now();
  const facesOfSource = async (image: RgbImage): Promise<readonly Face[]> => {
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
    const decode = async (): Promise<DecodedImage> => {
      const image = await decodePhoto(`${part} image`, path, job.maxPixels);
      if (part === 'source' || options.output?.maxLongSide === undefined) return image;
      const reduced = await reduceToLongSide(image, options.output.maxLongSide);
      if (reduced.rgb !== image.rgb) releaseImage(image.rgb);
      return { ...image, ...reduced };
    };
    const decodeAndDetect = async (): Promise<LoadedImage> => {
      const image = await decode();
      return {
        image,
        faces: await (part === 'source' ? facesOfSource(image.rgb) : engine.detect(image.rgb)),
      };
    };
    if (job.shared === part) return sharedImages.get(job.sharedName ?? path, decodeAndDetect);
    // A source is small, so its faces are detected while the target is still being decoded. If
    // another engine analyses the source, the target's faces are detected meanwhile.
    return part === 'source' || sourceAnalysis !== undefined ? decodeAndDetect() : { image: await decode() };
  };
  if (job.shared === undefined) sharedImages.forget();
  // Decoding is native code on other threads, so both run at once. Both are awaited, so that a
  // failure of the source is always the one that is reported.
  const [sourceLoading, targetLoading] = await Promise.allSettled([
    load('source', job.sourcePath),
    load('target', job.targetPath),
  ]);
  const { image: source, faces: sourceFaces } = settled(sourceLoading);
  const { image: target, faces: targetFaces } = settled(targetLoading);
  signal.throwIfAborted();
  onProgress(0.2);

  const decoded = performance.now();
  const swapped = await engine.swapImage(
    {
      source: source.rgb,
      target: target.rgb,
      drawOver: job.shared !== 'target',
      additionalSources: additionalSources(job),
      ...options,
      sourceFaces,
      targetFaces,
      signal,
    },
    job.networks,
  );
  signal.throwIfAborted();
  onProgress(0.8);
  if (swapped.image.width * swapped.image.height <= MAX_SHARING_PIXELS) onWriting?.();

  const engineEnded = performance.now();
  // Encoding is native code on other threads, so these run at once. All are awaited, so that
  // nothing is written after the job has failed.
  const review = swapped.review();
  const [writing, measuring, reviewing, picturing] = await Promise.allSettled([
    writeStill(
      swapped.image,
      { ...target, path: job.targetPath },
      {
        ...options.output,
        path: job.outputPath,
        label: options.label,
        watermark: job.watermark,
      },
      signer,
    ),
    swapped.measureIdentity(),
    review,
    review.then((faces) => thumbnailOfStill(swapped.image, faces.target?.face.box ?? null)),
  ]);
  releaseImage(swapped.image);
  if (job.shared !== 'target') releaseImage(target.rgb);
  if (job.shared !== 'source') releaseImage(source.rgb);
  const { encoded, signMs } = settled(writing);
  const identitySimilarity = settled(measuring);
  const reviewed = settled(reviewing);
  onProgress(1);
  const ended = performance.now();
  return {
    ...encoded,
    ...settled(picturing),
    facesFound: swapped.facesFound,
    swappedFaceIndex: swapped.swappedFaceIndex,
    identitySimilarity,
    swapped: [describeSwapped(reviewed)],
    sourceShares: swapped.sourceShares,
    timingsMs: {
      // Includes the analysis of the source.
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
