import type { SavedFaceBody } from '@guise/contract/ai-tasks/face-schemas.ts';
import type { SavedFace } from '../../faces/saved-face.ts';

/** Path of the page that withdraws a consent. The token is in the fragment: no log has it. */
const WITHDRAWAL_PAGE = '/withdraw#token=';

/** Presents a saved face to the account that keeps it. @param publicUrl without a trailing slash */
export function presentSavedFace(face: SavedFace, publicUrl: string): SavedFaceBody {
  const { thumbnail } = face;
  return {
    id: face.id,
    name: face.name,
    consent: face.consent,
    photos: face.photos.length,
    ...(thumbnail && { preview: `data:image/webp;base64,${thumbnail.toString('base64')}` }),
    createdAt: face.createdAt.toISOString(),
    withdrawnAt: face.withdrawnAt?.toISOString() ?? null,
    withdrawalUrl: `${publicUrl}${WITHDRAWAL_PAGE}${face.withdrawalToken}`,
  };
}
