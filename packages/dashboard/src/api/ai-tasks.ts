import type { AccessTokenBody } from '@guise/contract/account/own.ts';
import { DETECT_FORM, PUBLIC_VERIFY_FORM, VERIFY_FORM } from '@guise/contract/ai-tasks/forms.ts';
import type {
  DetectFacesBody,
  DetectPersonsBody,
  Quote,
  TaskAcceptedBody,
} from '@guise/contract/ai-tasks/schemas.ts';
import type { EngineList } from '@guise/contract/engines.ts';
import type { Verification } from '@guise/contract/ai-tasks/verification.ts';
import { account, ApiError, reach, readAnswer } from './account.ts';
import { upload } from './upload.ts';

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

/** Sends a request with a token. If the token has expired, sends it again with a new one. */
async function withToken(request: (authorization: string) => Promise<Response>): Promise<Response> {
  for (let isRetry = false; ; isRetry = true) {
    token ??= (await account<AccessTokenBody>('POST', 'token')).token;
    const response = await request(`Bearer ${token}`);
    if (response.status !== 401) return response;
    if (isRetry) throw new ApiError(401, { error: NOT_FROM_HERE });
    token = null;
  }
}

/** Sends a request with a token. Throws ApiError. */
export async function callWithToken<T>(
  method: string,
  path: string,
  options: { readonly body?: FormData; readonly signal?: AbortSignal } = {},
): Promise<T> {
  const response = await withToken((authorization) =>
    reach(path, { method, credentials: 'omit', headers: { authorization }, ...options }),
  );
  return readAnswer<T>(response);
}

function post<T>(path: string, body: FormData, signal?: AbortSignal): Promise<T> {
  return callWithToken('POST', path, { body, ...(signal ? { signal } : {}) });
}

/**
 * Sends a request to either interface, with `key` or, if `key` is empty, with a new token of this
 * session.
 */
export async function sendAnything(
  method: string,
  path: string,
  request: { key: string; headers: Record<string, string>; body: FormData | string | null },
): Promise<Response> {
  if (request.key === '') token = (await account<AccessTokenBody>('POST', 'token')).token;
  const authorization = `Bearer ${request.key || token}`;
  return reach(path, {
    method: method.toUpperCase(),
    credentials: 'omit',
    headers: { ...request.headers, authorization },
    body: request.body,
  });
}

export function verifyFile(file: File): Promise<Verification> {
  const form = new FormData();
  form.set('file', file);
  return post(VERIFY_FORM.path, form);
}

/** Verifies a file without an account, within the limits of the visitor's address. */
export async function verifyWithoutAccount(file: File, signal: AbortSignal): Promise<Verification> {
  const body = new FormData();
  body.set('file', file);
  return readAnswer(
    await reach(PUBLIC_VERIFY_FORM.path, { method: 'POST', credentials: 'omit', body, signal }),
  );
}

/** Finds the faces of a picture. @param preview whether the answer has a preview */
export function detectFaces(image: File, signal: AbortSignal, preview = false): Promise<DetectFacesBody> {
  const form = new FormData();
  form.set('image', image);
  form.set('preview', String(preview));
  return post(DETECT_FORM.path, form, signal);
}

/** Finds the people of a video or GIF, with previews. */
export function detectPersons(video: File, signal: AbortSignal): Promise<DetectPersonsBody> {
  const form = new FormData();
  form.set('video', video);
  form.set('preview', 'true');
  return post(DETECT_FORM.path, form, signal);
}

export function quote(path: string, form: FormData, signal: AbortSignal): Promise<Quote> {
  return post(`${path}?dryRun=true`, form, signal);
}

/** Lists what can draw the faces of this account's swaps. */
export function listEngines(): Promise<EngineList> {
  return callWithToken('GET', '/api/ai-tasks/engines');
}

/** Creates a task. `onSent` gets the share of the form that was sent, 0 to 1. */
export async function createTask(
  { path, form }: { readonly path: string; readonly form: FormData },
  idempotencyKey: string,
  onSent: (share: number) => void,
  signal: AbortSignal,
): Promise<TaskAcceptedBody> {
  const response = await withToken((authorization) =>
    upload(path, { form, headers: { authorization, 'idempotency-key': idempotencyKey }, onSent, signal }),
  );
  return readAnswer<TaskAcceptedBody>(response);
}

/** Opens the stream of events of all tasks. `since` is the id of the last event received. */
export function openEvents(since: string | null, signal: AbortSignal): Promise<Response> {
  return withToken((authorization) =>
    reach('/api/ai-tasks/events', {
      credentials: 'omit',
      headers: { authorization, ...(since === null ? {} : { 'last-event-id': since }) },
      signal,
    }),
  );
}

/**
 * Returns the path and query of an absolute result link, so that it loads from this page's origin.
 */
export function localLink(url: string): string {
  const { pathname, search } = new URL(url, location.href);
  return pathname + search;
}
