import { TaskFailure } from '@guise/contract/errors.ts';
import { largestFace } from '@guise/engine/face/detect/largest-face.ts';
import { showSamePerson } from '@guise/engine/pipeline/source-photos.ts';
import { releaseImage } from '@guise/kernels/scale/pyramid.ts';
import type { CheckFaceJob, CheckFaceOutcome } from '../protocol/engine-job.ts';
import { decodePhoto } from './decode-photo.ts';
import type { JobHooks, JobTools } from './job-tools.ts';
import { thumbnailOfStill, type WithThumbnail } from './thumbnails.ts';

/**
 * Checks that photos show one person.
 * @throws TaskFailure NO_FACE_DETECTED or FACE_MISMATCH, which name the photo
 */
export async function checkFace(
  { engine }: JobTools,
  { photos, isAlone, maxPixels }: CheckFaceJob,
  { signal, onProgress }: JobHooks,
): Promise<CheckFaceOutcome> {
  const identities: Float32Array[] = [];
  let picture: WithThumbnail = {};
  for (const [at, { name, path }] of photos.entries()) {
    const { rgb } = await decodePhoto(name, path, maxPixels);
    signal.throwIfAborted();
    const { faces, identity } = await engine.analyseSource(rgb);
    if (identity === null) throw new TaskFailure('NO_FACE_DETECTED', `No face was found in ${name}.`);
    if (isAlone && (await engine.detect(rgb)).length > 1)
      throw new TaskFailure('FACE_MISMATCH', `${name} shows several faces. It must show one person alone.`);
    const [first] = identities;
    if (first === undefined) picture = await thumbnailOfStill(rgb, largestFace(faces)!.box);
    else if (!showSamePerson(first, identity))
      throw new TaskFailure('FACE_MISMATCH', `${name} shows another person than ${photos[0]!.name}.`);
    identities.push(identity);
    releaseImage(rgb);
    onProgress((at + 1) / photos.length);
  }
  return { ...picture, identities };
}
