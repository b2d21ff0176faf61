import { releaseImage } from '@guise/kernels/scale/pyramid.ts';
import type { IdentifyFacesJob, IdentifyFacesOutcome } from '../protocol/engine-job.ts';
import { decodePhoto } from './decode-photo.ts';
import type { JobHooks, JobTools } from './job-tools.ts';

/** Largest number of faces of a photo that are identified, largest first. */
const MAX_FACES = 12;

/** Computes embeddings of the faces of some photos. The parent compares them. */
export async function identifyFaces(
  { engine }: JobTools,
  { photos, maxPixels }: IdentifyFacesJob,
  { signal }: JobHooks,
): Promise<IdentifyFacesOutcome> {
  const identities: Float32Array[][] = [];
  for (const { name, path, whose } of photos) {
    const { rgb } = await decodePhoto(name, path, maxPixels);
    signal.throwIfAborted();
    if (whose === 'largest') {
      const { identity } = await engine.analyseSource(rgb);
      identities.push(identity === null ? [] : [identity]);
    } else {
      const faces = await engine.detect(rgb);
      const bySize = faces.toSorted((a, b) => b.box.width * b.box.height - a.box.width * a.box.height);
      const found: Float32Array[] = [];
      for (const face of bySize.slice(0, MAX_FACES)) {
        signal.throwIfAborted();
        found.push(await engine.analyser.embed(rgb, face));
      }
      identities.push(found);
    }
    releaseImage(rgb);
  }
  return { identities };
}
