import type { DetectedFaceBody, DetectFacesBody } from '@guise/contract/ai-tasks/schemas.ts';
import { useEffect, useState } from 'react';
import { detectFaces } from '../../api/ai-tasks.ts';
import { patiently } from '../../api/patiently.ts';

interface Faces {
  /** null: not known yet. */
  readonly faces: readonly DetectedFaceBody[] | null;
  readonly error: string | null;
  readonly waitUntil: Date | null;
}

const UNKNOWN: Faces = { faces: null, error: null, waitUntil: null };

/** Finds the faces of a picture, free of charge. */
export function useFaces(photo: File): Faces {
  const [state, setState] = useState(UNKNOWN);
  useEffect(() => {
    const stop = new AbortController();
    setState(UNKNOWN);
    const find = (): Promise<DetectFacesBody> => detectFaces(photo, stop.signal);
    patiently(find, (waitUntil) => setState({ ...UNKNOWN, waitUntil }), stop.signal).then(
      ({ faces }) => setState({ ...UNKNOWN, faces }),
      (failure: Error) => stop.signal.aborted || setState({ ...UNKNOWN, error: failure.message }),
    );
    return () => stop.abort();
  }, [photo]);
  return state;
}
