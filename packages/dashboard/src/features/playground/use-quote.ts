import type { Quote } from '@guise/contract/ai-tasks/schemas.ts';
import { useEffect, useState } from 'react';
import { ApiError } from '../../api/account.ts';
import { quote } from '../../api/ai-tasks.ts';
import { patiently } from '../../api/patiently.ts';

/** Time without changes after which a quote is requested. */
const SETTLE_MS = 400;

export interface Quoted {
  readonly quote: Quote | null;
  readonly error: string | null;
  /** Whether the service refused the form. It would refuse the task too. */
  readonly isRefused: boolean;
  /** Time of the next request if too many were sent; null if no request waits. */
  readonly waitUntil: Date | null;
}

/** State without a quote. */
const NO_QUOTE: Quoted = { quote: null, error: null, isRefused: false, waitUntil: null };

/**
 * Requests a quote when the form is complete and has not changed for a moment. `form` is null if it
 * is incomplete.
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
 * Returns whether an error is caused by the form and not by the connection, service or session,
 * which can recover.
 */
function isForTheForm(error: Error): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 401;
}
