import type { DetectedFaces, DetectedPersons } from '@guise/client';
import { useEffect, useState } from 'react';
import { guise, type OnWait } from '../../../api/ai-tasks.ts';

/** What the service has found in a file. */
export interface Look<T> {
  /** null until the answer arrives. */
  readonly found: T | null;
  readonly error: string | null;
  /** Time of the next request if too many were sent; null if no request waits. */
  readonly waitUntil: Date | null;
}

/** State until the service has answered. */
const UNKNOWN = { found: null, error: null, waitUntil: null } as const;

/** Finds the faces in a picture. This is free of charge. */
export function useFaces(photo: File | null): Look<DetectedFaces> {
  return useLook(photo, lookForFaces, FACES);
}

/** Gets a preview of a picture that the browser cannot show. This is free of charge, too. */
export function usePreview(photo: File | null): Look<DetectedFaces> {
  return useLook(photo, previewFaces, PREVIEWS);
}

/** Finds the people of a film. This is free of charge. */
export function useFilm(film: File | null): Look<DetectedPersons> {
  return useLook(film, lookForPersons, PERSONS);
}

interface LookOptions {
  readonly signal: AbortSignal;
  readonly onWait: OnWait;
}

const lookForFaces = (photo: File, options: LookOptions): Promise<DetectedFaces> =>
  guise.detectFaces(photo, options);
const previewFaces = (photo: File, options: LookOptions): Promise<DetectedFaces> =>
  guise.detectFaces(photo, { ...options, preview: true });
const lookForPersons = (film: File, options: LookOptions): Promise<DetectedPersons> =>
  guise.detectPersons(film, { ...options, preview: true });

/** Faces by file, so that a file is uploaded for this only once. */
const FACES = new WeakMap<File, DetectedFaces>();
/** Faces with a preview by file, for the same reason. */
const PREVIEWS = new WeakMap<File, DetectedFaces>();
/** People by file, for the same reason. */
const PERSONS = new WeakMap<File, DetectedPersons>();

function useLook<T>(
  file: File | null,
  detect: (file: File, options: LookOptions) => Promise<T>,
  answers: WeakMap<File, T>,
): Look<T> {
  const [state, setState] = useState<Look<T>>(UNKNOWN);
  useEffect(() => {
    const known = file === null ? undefined : answers.get(file);
    setState({ ...UNKNOWN, found: known ?? null });
    if (file === null || known !== undefined) return undefined;
    const stop = new AbortController();
    const onWait = (waitUntil: Date | null): void => setState({ ...UNKNOWN, waitUntil });
    detect(file, { signal: stop.signal, onWait }).then(
      (found) => {
        answers.set(file, found);
        return setState({ ...UNKNOWN, found });
      },
      (failure: Error) => stop.signal.aborted || setState({ ...UNKNOWN, error: failure.message }),
    );
    return () => stop.abort();
  }, [file, detect, answers]);
  return state;
}
