import type { Quote } from '@guise/contract/ai-tasks/schemas.ts';
import { useEffect, useState } from 'react';
import { ApiError } from '../../../api/account.ts';
import { quote } from '../../../api/ai-tasks.ts';
import { patiently } from '../../../api/patiently.ts';

/** Time without changes after which a quote is requested. */
const SETTLE_MS = 400;

export interface Quoted {
  readonly quote: Quote | null;
  readonly error: ApiError | null;
  /** Whether the service refused the form. It would refuse the task too. */
  readonly isRefused: boolean;
  /** Time of the next request if too many were sent; null if no request waits. */
  readonly waitUntil: Date | null;
}

/** State without a quote. */
const NO_QUOTE: Quoted = { quote: null, error: null, isRefused: false, waitUntil: null };

/** A form to quote. */
interface Question {
  readonly path: string;
  readonly form: FormData;
}

/**
 * Requests a quote when the form has not changed for a moment. `question` is null if the form is
 * incomplete.
 */
export function useQuote(question: Question | null): Quoted {
  const [state, setState] = useState(NO_QUOTE);
  useEffect(() => {
    setState(NO_QUOTE);
    if (question === null) return undefined;
    const stop = new AbortController();
    const ask = (): Promise<Quote> => quote(question.path, question.form, stop.signal);
    const timer = setTimeout(() => {
      patiently(ask, (waitUntil) => setState({ ...NO_QUOTE, waitUntil }), stop.signal).then(
        (answer) => setState({ ...NO_QUOTE, quote: answer }),
        (failure: unknown) => {
          if (stop.signal.aborted) return;
          const error = failure instanceof ApiError ? failure : new ApiError(0, { error: String(failure) });
          setState({ ...NO_QUOTE, error, isRefused: isForTheForm(error) });
        },
      );
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [question]);
  return state;
}

/**
 * Returns whether an error is caused by the form and not by the connection, service or session,
 * which can recover.
 */
function isForTheForm({ status }: ApiError): boolean {
  return status >= 400 && status < 500 && status !== 401;
}
