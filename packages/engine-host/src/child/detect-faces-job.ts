import { releaseImage } from '@guise/kernels/scale/pyramid.ts';
import { decodePhoto } from './decode-photo.ts';
import { describeFace } from './describe-face.ts';
import type { DetectFacesJob, DetectFacesOutcome } from '../protocol/engine-job.ts';
import type { JobHooks, JobTools } from './job-tools.ts';

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
