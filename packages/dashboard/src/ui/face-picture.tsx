import type { SavedFace } from '@guise/client';
import { PersonIcon } from '@primer/octicons-react';

/** A small picture of a saved face. */
export function FacePicture({ face: { preview } }: { face: Pick<SavedFace, 'preview'> }) {
  return (
    <span className="pick">
      {preview === undefined ? <PersonIcon size={24} /> : <img src={preview} alt="" />}
    </span>
  );
}
