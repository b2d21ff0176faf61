import { releaseImage } from '@guise/kernels/scale/pyramid.ts';
import { makePreview } from '@guise/media/image/thumbnail.ts';
import { decodePhoto } from './decode-photo.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import type { Engine } from '@guise/engine/pipeline/engine.ts';
import type { Face } from '@guise/engine/face/geometry/face.ts';
import type { DetectedFace } from '@guise/contract/work.ts';
import { describeFace } from './describe-face.ts';
import type { DetectFacesJob, DetectFacesOutcome } from '../protocol/engine-job.ts';
import type { JobHooks, JobTools } from './job-tools.ts';

/**
 * Largest number of faces of an image that are reviewed, largest first. A crowd would take too
 * long.
 */
const MAX_REVIEWED = 12;

/** Detects the faces of some images, one after the other. */
export async function detectFaces(
  { engine }: JobTools,
  job: DetectFacesJob,
  { signal, onProgress }: JobHooks,
): Promise<DetectFacesOutcome> {
  const images = [];
  for (const [index, { name, path }] of job.images.entries()) {
    const { rgb } = await decodePhoto(name === 'image' ? name : `${name} image`, path, job.maxPixels);
    signal.throwIfAborted();
    const faces = await engine.detect(rgb);
    signal.throwIfAborted();
    images.push({
      name,
      width: rgb.width,
      height: rgb.height,
      faces: await describeFaces(engine, rgb, faces),
      preview: job.withPreviews ? (await makePreview(rgb)).toString('base64') : undefined,
    });
    releaseImage(rgb);
    onProgress((index + 1) / job.images.length);
  }
  return { images };
}

async function describeFaces(
  engine: Engine,
  image: RgbImage,
  faces: readonly Face[],
): Promise<DetectedFace[]> {
  const bySize = faces.toSorted((a, b) => b.box.width * b.box.height - a.box.width * a.box.height);
  const reviewed = new Set(bySize.slice(0, MAX_REVIEWED));
  const described: DetectedFace[] = [];
  for (const [index, face] of faces.entries()) {
    const traits = reviewed.has(face) ? (await engine.review(image, face)).traits : undefined;
    described.push(describeFace(face, index, traits));
  }
  return described;
}
