/**
 * Makes a `fetch` that reports how much of a form was sent, which the browser's own cannot do.
 * @param onSent called with the share of the form that was sent, 0 to 1
 */
export function fetchWithProgress(onSent: (share: number) => void): typeof fetch {
  return async (url, { method, headers, body, signal } = {}) => {
    signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    const stop = (): void => request.abort();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      return await new Promise<Response>((resolve, reject) => {
        request.upload.addEventListener('progress', ({ loaded, total }) =>
          onSent(total > 0 ? loaded / total : 0),
        );
        request.addEventListener('load', () =>
          resolve(new Response(request.responseText, { status: request.status })),
        );
        request.addEventListener('error', () => reject(new TypeError('The connection was lost.')));
        request.addEventListener('abort', () => reject(signal!.reason as Error));
        request.open(method!, url as string);
        for (const [name, value] of Object.entries(headers!)) request.setRequestHeader(name, value as string);
        request.send(body as FormData);
      });
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  };
}
