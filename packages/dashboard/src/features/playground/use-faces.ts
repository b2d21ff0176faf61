import type { DetectedFaceBody, DetectFacesBody } from '@guise/contract/ai-tasks/schemas.ts';
import { useEffect, useState } from 'react';
import { detectFaces } from '../../api/ai-tasks.ts';
import { patiently } from '../../api/patiently.ts';

interface Faces {
  /** null until the answer arrives. */
  readonly faces: readonly DetectedFaceBody[] | null;
  readonly error: string | null;
  readonly waitUntil: Date | null;
}

/** State until the service has answered. */
const UNKNOWN_FACES: Faces = { faces: null, error: null, waitUntil: null };

/** Finds the faces in a picture. This is free of charge. */
export function useFaces(photo: File): Faces {
  const [state, setState] = useState(UNKNOWN_FACES);
  useEffect(() => {
    const stop = new AbortController();
    setState(UNKNOWN_FACES);
    const find = (): Promise<DetectFacesBody> => detectFaces(photo, stop.signal);
    patiently(find, (waitUntil) => setState({ ...UNKNOWN_FACES, waitUntil }), stop.signal).then(
      ({ faces }) => setState({ ...UNKNOWN_FACES, faces }),
      (failure: Error) => stop.signal.aborted || setState({ ...UNKNOWN_FACES, error: failure.message }),
    );
    return () => stop.abort();
  }, [photo]);
  return state;
}
