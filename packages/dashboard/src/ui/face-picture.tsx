import type { SavedFaceBody } from '@guise/contract/ai-tasks/face-schemas.ts';
import { PersonIcon } from '@primer/octicons-react';

/** A small picture of a saved face. */
export function FacePicture({ face: { preview } }: { face: Pick<SavedFaceBody, 'preview'> }) {
  return (
    <span className="pick">
      {preview === undefined ? <PersonIcon size={24} /> : <img src={preview} alt="" />}
    </span>
  );
}
