import { useEffect, useState } from 'react';
import { quote, type Quote } from '../api/ai-tasks.ts';

const SETTLE_MS = 400;

/** What the task would cost, as soon as its form is whole and stays so for a moment; `form` null: not whole yet. */
export function useQuote(path: string, form: FormData | null): { quote: Quote | null; error: string | null } {
  const [state, setState] = useState<{ quote: Quote | null; error: string | null }>({
    quote: null,
    error: null,
  });
  useEffect(() => {
    setState({ quote: null, error: null });
    if (form === null) return undefined;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      quote(path, form, stop.signal).then(
        (answer) => setState({ quote: answer, error: null }),
        (error: Error) => stop.signal.aborted || setState({ quote: null, error: error.message }),
      );
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [path, form]);
  return state;
}
