import { Guise, GuiseError, type Quote, type TaskAccepted } from '@guise/client';
import type { AccessTokenBody } from '@guise/contract/account/own.ts';
import { account } from './account.ts';
import { fetchWithProgress } from './upload.ts';

/** Message if a new token is refused. The IP allowlist is the only possible reason. */
const NOT_FROM_HERE =
  'This account may be used from certain addresses only, and yours is not among them: see the IP allowlist under Developers.';

/**
 * Token for the task interface, which does not accept the session cookie. It is only kept in this
 * page's memory.
 */
let token: string | null = null;

export function forgetToken(): void {
  token = null;
}

async function newToken(): Promise<string> {
  return (await account<AccessTokenBody>('POST', 'token')).token;
}

/** Sends requests by `send`. A 401 is told only if a new token is refused, too: it says why. */
function explaining(send: typeof fetch): typeof fetch {
  return async (url, options) => {
    const answer = await send(url, options);
    return answer.status === 401 ? Response.json({ error: NOT_FROM_HERE }, { status: 401 }) : answer;
  };
}

/** A client of the account that is signed in. It waits as long as too many requests were sent. */
export const guise = new Guise({
  retryOn: [429],
  patienceMs: Infinity,
  key: async (wasRefused) => (token = wasRefused || token === null ? await newToken() : token),
  fetch: explaining((url, options) => fetch(url, options)),
});

/** A client of nobody's account. */
export const visitor = new Guise({ retryOn: [] });

/**
 * Sends a request to either interface, with `key` or, if `key` is empty, with a new token of this
 * session. Returns error answers, too. Throws GuiseError if the service cannot be reached.
 */
export async function sendAnything(
  method: string,
  path: string,
  request: { key: string; headers: Record<string, string>; body: FormData | string | null },
): Promise<Response> {
  if (request.key === '') token = await newToken();
  return fetch(path, {
    method: method.toUpperCase(),
    credentials: 'omit',
    headers: { ...request.headers, authorization: `Bearer ${request.key || token}` },
    body: request.body,
  }).catch(() => {
    throw new GuiseError(0);
  });
}

/** A form, and the path of its workflow. */
export interface SwapForm {
  readonly path: string;
  readonly form: FormData;
}

/** Called with the time of the next request if too many were sent, then with null. */
export type OnWait = (until: Date | null) => void;

export function quote({ path, form }: SwapForm, onWait: OnWait, signal: AbortSignal): Promise<Quote> {
  return guise.request('POST', `${path}?dryRun=true`, { body: form, onWait, signal });
}

/** Creates a task. `onSent` gets the share of the form that was sent, 0 to 1. */
export function createTask(
  { path, form }: SwapForm,
  options: {
    readonly idempotencyKey: string;
    readonly onSent: (share: number) => void;
    readonly onWait: OnWait;
    readonly signal: AbortSignal;
  },
): Promise<TaskAccepted> {
  const { onSent, ...rest } = options;
  return guise.request('POST', path, {
    ...rest,
    body: form,
    fetch: explaining(fetchWithProgress(onSent)),
  });
}

/**
 * Returns the path and query of an absolute result link, so that it loads from this page's origin.
 */
export function localLink(url: string): string {
  const { pathname, search } = new URL(url, location.href);
  return pathname + search;
}
