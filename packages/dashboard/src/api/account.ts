import { Guise, GuiseError } from '@guise/client';

/** A client of this page's session, by its cookie. */
const session = new Guise({
  retryOn: [],
  fetch: (url, options) => fetch(url, { ...options, credentials: 'same-origin' }),
});

let onSessionEnd: () => void = () => {};

/** Calls `listener` when a request finds that the session has ended. The current page stays. */
export function whenSessionEnds(listener: () => void): void {
  onSessionEnd = listener;
}

/** Sends a request to `/account`, a form as it is and anything else as JSON. Throws GuiseError. */
export async function account<T>(method: string, path: string, body?: object): Promise<T> {
  try {
    return await session.request<T>(method, `/account/${path}`, body === undefined ? {} : { body });
  } catch (error) {
    const hasEnded = error instanceof GuiseError && error.status === 401;
    if (hasEnded && !path.startsWith('auth/sign-in') && path !== 'me') onSessionEnd();
    throw error;
  }
}
