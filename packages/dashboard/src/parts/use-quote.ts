import { useEffect, useState } from 'react';
import { quote, type Quote } from '../api/ai-tasks.ts';
import { patiently } from '../api/patiently.ts';

const SETTLE_MS = 400;

export interface Quoted {
  readonly quote: Quote | null;
  readonly error: string | null;
  /** Asked too often: when it is asked again. */
  readonly waitUntil: Date | null;
}

const NOTHING: Quoted = { quote: null, error: null, waitUntil: null };

/** What the task would cost, as soon as its form is whole and stays so for a moment; `form` null: not whole yet. */
export function useQuote(path: string, form: FormData | null): Quoted {
  const [state, setState] = useState(NOTHING);
  useEffect(() => {
    setState(NOTHING);
    if (form === null) return undefined;
    const stop = new AbortController();
    const ask = (): Promise<Quote> => quote(path, form, stop.signal);
    const timer = setTimeout(() => {
      patiently(ask, (waitUntil) => setState({ ...NOTHING, waitUntil }), stop.signal).then(
        (answer) => setState({ ...NOTHING, quote: answer }),
        (error: Error) => stop.signal.aborted || setState({ ...NOTHING, error: error.message }),
      );
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [path, form]);
  return state;
}
