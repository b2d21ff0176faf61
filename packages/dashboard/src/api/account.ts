import type { AccountErrorBody } from '@guise/contract/account/own.ts';

/** An error answer of the service. Its message is written for users. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly resetSeconds: number | undefined;
  /** The form field that the error is about, if the service names one. */
  readonly field: string | undefined;

  constructor(status: number, body: Partial<AccountErrorBody>) {
    super(body.error ?? `The service answered ${status}.`);
    this.status = status;
    this.code = body.code ?? '';
    this.resetSeconds = body.resetSeconds;
    this.field = body.field;
  }
}

let onSessionEnd: () => void = () => {};

/** Calls `listener` when a request finds that the session has ended. The current page stays. */
export function whenSessionEnds(listener: () => void): void {
  onSessionEnd = listener;
}

/** Reads a JSON answer. Throws ApiError for an error answer. */
export async function readAnswer<T>(response: Response): Promise<T> {
  if (response.ok) return (await response.json()) as T;
  const body = (await response.json().catch(() => ({}))) as Partial<AccountErrorBody>;
  throw new ApiError(response.status, body);
}

/** Makes the error for a service that cannot be reached. */
export function unreachable(): ApiError {
  return new ApiError(0, { error: 'The service cannot be reached. Check your connection and try again.' });
}

/** Like `fetch`, but if the service cannot be reached, throws an ApiError with status 0. */
export async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (failure) {
    if ((failure as Error).name === 'AbortError') throw failure;
    throw unreachable();
  }
}

/** Sends a request to `/account`, a form as it is and anything else as JSON. Throws ApiError. */
export async function account<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await reach(`/account/${path}`, {
    method,
    credentials: 'same-origin',
    ...(body === undefined
      ? {}
      : body instanceof FormData
        ? { body }
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (response.status === 401 && !path.startsWith('auth/sign-in') && path !== 'me') onSessionEnd();
  return readAnswer<T>(response);
}
