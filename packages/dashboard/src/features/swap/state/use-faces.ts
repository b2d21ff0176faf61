import type { DetectFacesBody } from '@guise/contract/ai-tasks/schemas.ts';
import { useEffect, useState } from 'react';
import { detectFaces } from '../../../api/ai-tasks.ts';
import { patiently } from '../../../api/patiently.ts';

export interface Faces {
  /** null until the answer arrives. */
  readonly faces: DetectFacesBody['faces'] | null;
  readonly warnings: NonNullable<DetectFacesBody['warnings']>;
  readonly error: string | null;
  readonly waitUntil: Date | null;
}

/** State until the service has answered. */
const UNKNOWN_FACES: Faces = { faces: null, warnings: [], error: null, waitUntil: null };

/** Finds the faces in a picture. This is free of charge. */
export function useFaces(photo: File | null): Faces {
  const [state, setState] = useState(UNKNOWN_FACES);
  useEffect(() => {
    setState(UNKNOWN_FACES);
    if (photo === null) return undefined;
    const stop = new AbortController();
    const find = (): Promise<DetectFacesBody> => detectFaces(photo, stop.signal);
    patiently(find, (waitUntil) => setState({ ...UNKNOWN_FACES, waitUntil }), stop.signal).then(
      ({ faces, warnings = [] }) => setState({ ...UNKNOWN_FACES, faces, warnings }),
      (failure: Error) => stop.signal.aborted || setState({ ...UNKNOWN_FACES, error: failure.message }),
    );
    return () => stop.abort();
  }, [photo]);
  return state;
}
