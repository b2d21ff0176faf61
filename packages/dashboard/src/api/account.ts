/** A refusal of the service: its own public sentence. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly resetSeconds: number | undefined;

  constructor(status: number, body: { error?: string; code?: string; resetSeconds?: number }) {
    super(body.error ?? `The service answered ${status}.`);
    this.status = status;
    this.code = body.code ?? '';
    this.resetSeconds = body.resetSeconds;
  }
}

let onSessionEnd: () => void = () => {};

/** `listener` is told when a request finds the session over; the page that asked stays as it is. */
export function whenSessionEnds(listener: () => void): void {
  onSessionEnd = listener;
}

export async function readAnswer<T>(response: Response): Promise<T> {
  const body = (await response.json().catch(() => ({}))) as T;
  if (!response.ok) throw new ApiError(response.status, body as { error?: string });
  return body;
}

/** One request of `/account`. Throws ApiError. */
export async function account<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`/account/${path}`, {
    method,
    credentials: 'same-origin',
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (response.status === 401 && !path.startsWith('auth/sign-in') && path !== 'me') onSessionEnd();
  return readAnswer<T>(response);
}
