import type { SavedFaceBody } from '@guise/contract/ai-tasks/face-schemas.ts';
import { useEffect, useMemo } from 'react';
import { listFaces } from '../../../api/faces.ts';
import { useLoaded } from '../../../api/use-load.ts';
import { keepFaces } from './draft-store.ts';

/** Faces until they are loaded: one list, so that nothing is drawn anew. */
const NONE: [] = [];

/** Returns the saved faces that can be used. Others are taken out of the draft. */
export function useSavedFaces(): readonly SavedFaceBody[] {
  const { data } = useLoaded(listFaces);
  const usable = useMemo(() => data?.filter(({ withdrawnAt }) => withdrawnAt === null), [data]);
  useEffect(() => {
    if (usable !== undefined) keepFaces(new Set(usable.map(({ id }) => id)));
  }, [usable]);
  return usable ?? NONE;
}
