import type { SavedFace } from '@guise/client';
import { useEffect, useMemo } from 'react';
import { guise } from '../../../api/ai-tasks.ts';
import { useLoaded } from '../../../api/use-load.ts';
import { keepFaces } from './draft-store.ts';

/** Faces until they are loaded: one list, so that nothing is drawn anew. */
const NONE: [] = [];

/** Returns the saved faces that can be used. Others are taken out of the draft. */
export function useSavedFaces(): readonly SavedFace[] {
  const { data } = useLoaded(guise.faces.list);
  const usable = useMemo(() => data?.faces.filter(({ withdrawnAt }) => withdrawnAt === null), [data]);
  useEffect(() => {
    if (usable !== undefined) keepFaces(new Set(usable.map(({ id }) => id)));
  }, [usable]);
  return usable ?? NONE;
}
