import type { DetectPersonsBody } from '@guise/contract/ai-tasks/schemas.ts';
import { useEffect, useState } from 'react';
import { detectPersons } from '../../../api/ai-tasks.ts';
import { patiently } from '../../../api/patiently.ts';

export interface Film {
  /** null until the service has looked for people. */
  readonly found: DetectPersonsBody | null;
  readonly error: string | null;
  readonly waitUntil: Date | null;
}

/** State until the service has answered. */
const UNKNOWN_FILM: Film = { found: null, error: null, waitUntil: null };

/** Answers by file, so that a film is uploaded for this only once. */
const ANSWERS = new WeakMap<File, DetectPersonsBody>();

/** Finds the people of a film. This is free of charge. */
export function useFilm(file: File | null): Film {
  const [state, setState] = useState(UNKNOWN_FILM);
  useEffect(() => {
    const known = file === null ? undefined : ANSWERS.get(file);
    setState({ ...UNKNOWN_FILM, found: known ?? null });
    if (file === null || known !== undefined) return undefined;
    const stop = new AbortController();
    const find = (): Promise<DetectPersonsBody> => detectPersons(file, stop.signal);
    patiently(find, (waitUntil) => setState({ ...UNKNOWN_FILM, waitUntil }), stop.signal).then(
      (found) => {
        ANSWERS.set(file, found);
        return setState({ ...UNKNOWN_FILM, found });
      },
      (failure: Error) => stop.signal.aborted || setState({ ...UNKNOWN_FILM, error: failure.message }),
    );
    return () => stop.abort();
  }, [file]);
  return state;
}
