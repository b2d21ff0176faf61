import { TaskFailure } from '@guise/contract/errors.ts';
import { releaseImage } from '@guise/kernels/scale/pyramid.ts';
import { matchFaces } from '@guise/contract/match-faces.ts';
import { additionalSources, decodePhoto } from './decode-photo.ts';
import { describeFace, describeSwapped } from './describe-face.ts';
import type { StillOutcome, SwapGroupJob } from '../protocol/engine-job.ts';
import type { JobHooks, JobTools } from './job-tools.ts';
import { lowestSimilarity } from '../protocol/lowest-similarity.ts';
import { thumbnailOfStill } from './thumbnails.ts';
import { writeStill } from './write-still.ts';

/** Swaps several faces of one photo. */
export async function swapGroup(
  { engine }: JobTools,
  job: SwapGroupJob,
  { signal, signer, onProgress }: JobHooks,
): Promise<StillOutcome> {
  const { maxPixels, replacements, options } = job;
  const target = await decodePhoto('group photo', job.targetPath, maxPixels);
  signal.throwIfAborted();
  const targetFaces = await engine.detect(target.rgb);
  if (targetFaces.length === 0) {
    throw new TaskFailure('NO_FACE_DETECTED', 'No face was found in the group photo.');
  }
  const faceIndexes = matchFaces(
    replacements.map(({ box }) => box),
    targetFaces.map((face, index) => describeFace(face, index)),
  );
  onProgress(0.2);
  const { image, identitySimilarities, reviews } = await engine.swapGroup(
    {
      target: target.rgb,
      targetFaces,
      replacements: replacements.map(({ name, sourcePath, additionalSources: files }, at) => ({
        name,
        source: async () => (await decodePhoto(name, sourcePath, maxPixels)).rgb,
        additionalSources: additionalSources({ additionalSources: files, maxPixels }),
        faceIndex: faceIndexes[at]!,
      })),
      restore: options.restore,
      onSwapped: (count) => onProgress(0.2 + (0.6 * count) / replacements.length),
      signal,
    },
    job.networks,
  );
  signal.throwIfAborted();
  const [{ encoded }, thumbnail] = await Promise.all([
    writeStill(
      image,
      { ...target, path: job.targetPath },
      {
        path: job.outputPath,
        format: options.output?.format,
        label: options.label,
        watermark: job.watermark,
      },
      signer,
    ),
    thumbnailOfStill(image, targetFaces[faceIndexes[0]!]!.box),
  ]);
  releaseImage(image);
  releaseImage(target.rgb);
  onProgress(1);
  return {
    ...encoded,
    ...thumbnail,
    facesFound: targetFaces.length,
    identitySimilarity: lowestSimilarity(identitySimilarities),
    swapped: reviews.map(describeSwapped),
  };
}
