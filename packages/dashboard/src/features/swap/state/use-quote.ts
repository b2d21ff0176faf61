import { GuiseError, type Quote } from '@guise/client';
import { useEffect, useState } from 'react';
import { quote, type SwapForm } from '../../../api/ai-tasks.ts';

/** Time without changes after which a quote is requested. */
const SETTLE_MS = 400;

export interface Quoted {
  readonly quote: Quote | null;
  readonly error: GuiseError | null;
  /** Whether the service refused the form. It would refuse the task too. */
  readonly isRefused: boolean;
  /** Time of the next request if too many were sent; null if no request waits. */
  readonly waitUntil: Date | null;
}

/** State without a quote. */
const NO_QUOTE: Quoted = { quote: null, error: null, isRefused: false, waitUntil: null };

/**
 * Requests a quote when the form has not changed for a moment. `question` is null if the form is
 * incomplete.
 */
export function useQuote(question: SwapForm | null): Quoted {
  const [state, setState] = useState(NO_QUOTE);
  useEffect(() => {
    setState(NO_QUOTE);
    if (question === null) return undefined;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      quote(question, (waitUntil) => setState({ ...NO_QUOTE, waitUntil }), stop.signal).then(
        (answer) => setState({ ...NO_QUOTE, quote: answer }),
        (failure: unknown) => {
          if (stop.signal.aborted) return;
          const error =
            failure instanceof GuiseError ? failure : new GuiseError(0, { error: String(failure) });
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
function isForTheForm({ status }: GuiseError): boolean {
  return status >= 400 && status < 500 && status !== 401;
}
