import { useCallback, useEffect, useState } from 'react';
import { account } from './account.ts';

export interface Loaded<T> {
  readonly data: T | null;
  readonly error: Error | null;
  readonly reload: () => void;
}

/**
 * Loads `/account/<path>`. Loads again when the path changes, and every `everyMs` while the page is
 * visible.
 */
export function useLoad<T>(path: string, everyMs?: number): Loaded<T> {
  return useLoaded(
    useCallback(() => account<T>('GET', path), [path]),
    everyMs,
  );
}

/** Like `useLoad`, by a function. Loads again when there is another function. */
export function useLoaded<T>(load: () => Promise<T>, everyMs?: number): Loaded<T> {
  const [state, setState] = useState<{ data: T | null; error: Error | null }>({ data: null, error: null });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    load().then(
      (data) => isCurrent && setState({ data, error: null }),
      (error: Error) => isCurrent && setState((before) => ({ ...before, error })),
    );
    return () => {
      isCurrent = false;
    };
  }, [load, turn]);
  const reload = useCallback(() => setTurn((value) => value + 1), []);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, reload]);
  return { ...state, reload };
}
