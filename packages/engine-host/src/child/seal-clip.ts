import { markMoving } from '@guise/media/provenance/mark-moving.ts';
import type { ManifestSigner } from '@guise/media/provenance/manifest-signer.ts';
import { readOrigin } from '@guise/media/provenance/origin/read-origin.ts';
import type { JoinFilmOutcome } from '../protocol/engine-job.ts';
import { thumbnailOfClip } from './thumbnails.ts';

/**
 * Marks and signs a clip that was written, and makes its thumbnail.
 * @param targetPath clip whose statements about itself the result repeats
 */
export async function sealClip(
  path: string,
  contentType: string,
  targetPath: string,
  signer: ManifestSigner,
): Promise<Pick<JoinFilmOutcome, 'sizeBytes' | 'sha256' | 'thumbnail'>> {
  const origin = await readOrigin(targetPath);
  const { sizeBytes, sha256 } = await markMoving(path, contentType, signer, origin);
  return { sizeBytes, sha256, ...(await thumbnailOfClip(path)) };
}
