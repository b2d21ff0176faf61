import type { Quote } from '@guise/contract/ai-tasks/schemas.ts';
import { useEffect, useState } from 'react';
import { ApiError } from '../../api/account.ts';
import { quote } from '../../api/ai-tasks.ts';
import { patiently } from '../../api/patiently.ts';

/** Time without a change after which a form is quoted. */
const SETTLE_MS = 400;

export interface Quoted {
  readonly quote: Quote | null;
  readonly error: string | null;
  /** The service refused the form, and would refuse the task too. */
  readonly isRefused: boolean;
  /** The time of the next request, if there were too many; null: none waits. */
  readonly waitUntil: Date | null;
}

/** State without a quote. */
const NO_QUOTE: Quoted = { quote: null, error: null, isRefused: false, waitUntil: null };

/**
 * Quotes the task once its form is complete and rests for a moment; `form` null: not complete yet.
 */
export function useQuote(path: string, form: FormData | null): Quoted {
  const [state, setState] = useState(NO_QUOTE);
  useEffect(() => {
    setState(NO_QUOTE);
    if (form === null) return undefined;
    const stop = new AbortController();
    const ask = (): Promise<Quote> => quote(path, form, stop.signal);
    const timer = setTimeout(() => {
      patiently(ask, (waitUntil) => setState({ ...NO_QUOTE, waitUntil }), stop.signal).then(
        (answer) => setState({ ...NO_QUOTE, quote: answer }),
        (error: Error) =>
          stop.signal.aborted ||
          setState({ ...NO_QUOTE, error: error.message, isRefused: isForTheForm(error) }),
      );
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [path, form]);
  return state;
}

/**
 * Says whether the form is at fault, not the connection, the service or the session: those recover.
 */
function isForTheForm(error: Error): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 401;
}
