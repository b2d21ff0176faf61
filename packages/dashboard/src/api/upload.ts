import { unreachable } from './account.ts';

interface Upload {
  readonly form: FormData;
  readonly headers: Readonly<Record<string, string>>;
  /** Called with the share of the form that was sent, 0 to 1. */
  readonly onSent: (share: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Posts a form, and reports how much of it was sent, which `fetch` cannot do. Throws ApiError with
 * status 0 if the service cannot be reached, and the reason of `signal` if that is aborted.
 */
export async function upload(path: string, { form, headers, onSent, signal }: Upload): Promise<Response> {
  signal.throwIfAborted();
  const request = new XMLHttpRequest();
  const stop = (): void => request.abort();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await new Promise<Response>((resolve, reject) => {
      request.upload.addEventListener('progress', ({ loaded, total }) =>
        onSent(total > 0 ? loaded / total : 0),
      );
      request.addEventListener('load', () =>
        resolve(new Response(request.responseText, { status: request.status })),
      );
      request.addEventListener('error', () => reject(unreachable()));
      request.addEventListener('abort', () => reject(signal.reason as Error));
      request.open('POST', path);
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
      request.send(form);
    });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
