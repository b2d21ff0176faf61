import type { AccessTokenBody } from '@guise/contract/account/own.ts';
import { DETECT_FORM, VERIFY_FORM } from '@guise/contract/ai-tasks/forms.ts';
import type { DetectFacesBody, Quote, TaskAcceptedBody, TaskBody } from '@guise/contract/ai-tasks/schemas.ts';
import type { Verification } from '@guise/contract/ai-tasks/verification.ts';
import { account, ApiError, reach, readAnswer } from './account.ts';

/** Message if a new token is refused. The IP allowlist is the only possible reason. */
const NOT_FROM_HERE =
  'This account may be used from certain addresses only, and yours is not among them: see the IP allowlist under API settings.';

/**
 * Token for the task interface, which does not accept the session cookie. It is only kept in this
 * page's memory.
 */
let token: string | null = null;

export function forgetToken(): void {
  token = null;
}

async function send<T>(method: string, path: string, form?: FormData, signal?: AbortSignal): Promise<T> {
  for (let isRetry = false; ; isRetry = true) {
    token ??= (await account<AccessTokenBody>('POST', 'token')).token;
    const response = await reach(path, {
      method,
      credentials: 'omit',
      headers: { authorization: `Bearer ${token}` },
      ...(form ? { body: form } : {}),
      ...(signal ? { signal } : {}),
    });
    if (response.status === 401 && isRetry) throw new ApiError(401, { error: NOT_FROM_HERE });
    if (response.status !== 401) return readAnswer<T>(response);
    token = null;
  }
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
  return send('POST', VERIFY_FORM.path, form);
}

export function detectFaces(image: File, signal: AbortSignal): Promise<DetectFacesBody> {
  const form = new FormData();
  form.set('image', image);
  return send('POST', DETECT_FORM.path, form, signal);
}

export function quote(path: string, form: FormData, signal: AbortSignal): Promise<Quote> {
  return send('POST', `${path}?dryRun=true`, form, signal);
}

export function createTask(path: string, form: FormData): Promise<TaskAcceptedBody> {
  return send('POST', path, form);
}

export function readTask(path: string, taskId: string): Promise<TaskBody> {
  return send('GET', `${path}?taskId=${taskId}`);
}

export function cancelTask(path: string, taskId: string): Promise<TaskBody> {
  return send('DELETE', `${path}?taskId=${taskId}`);
}

/**
 * Returns the path and query of an absolute result link, so that it loads from this page's origin.
 */
export function localLink(url: string): string {
  const { pathname, search } = new URL(url, location.href);
  return pathname + search;
}
