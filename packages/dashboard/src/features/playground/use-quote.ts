import type { Quote } from '@guise/contract/ai-tasks/schemas.ts';
import { useEffect, useState } from 'react';
import { ApiError } from '../../api/account.ts';
import { quote } from '../../api/ai-tasks.ts';
import { patiently } from '../../api/patiently.ts';

const SETTLE_MS = 400;

export interface Quoted {
  readonly quote: Quote | null;
  readonly error: string | null;
  /** By the service, for what the form holds: the task itself would be refused too. */
  readonly isRefused: boolean;
  /** Asked too often: when it is asked again. */
  readonly waitUntil: Date | null;
}

const NOTHING: Quoted = { quote: null, error: null, isRefused: false, waitUntil: null };

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
        (error: Error) =>
          stop.signal.aborted ||
          setState({ ...NOTHING, error: error.message, isRefused: isForTheForm(error) }),
      );
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [path, form]);
  return state;
}

/** Not for the connection, the service's own trouble or a session that is over: those pass, and then the form is right. */
function isForTheForm(error: Error): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 401;
}
