import { markMoving } from '@guise/media/provenance/mark-moving.ts';
import type { ManifestSigner } from '@guise/media/provenance/manifest-signer.ts';
import type { JoinFilmOutcome } from '../protocol/engine-job.ts';
import { thumbnailOfClip } from './thumbnails.ts';

/** Marks and signs a clip that was written, and makes its thumbnail. */
export async function sealClip(
  path: string,
  contentType: string,
  signer: ManifestSigner,
): Promise<Pick<JoinFilmOutcome, 'sizeBytes' | 'sha256' | 'thumbnail'>> {
  const { sizeBytes, sha256 } = await markMoving(path, contentType, signer);
  return { sizeBytes, sha256, ...(await thumbnailOfClip(path)) };
}
