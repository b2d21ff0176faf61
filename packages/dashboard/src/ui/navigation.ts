/** Names of secrets that links have in their fragment. */
const SECRETS = ['token', 'invitation'];

/** The page that was opened with a fragment, and the fragment's values. */
const opened = { path: location.pathname, values: new URLSearchParams(location.hash.slice(1)) };

// Secrets leave the address bar and the history at once.
if (SECRETS.some((name) => opened.values.has(name))) history.replaceState(null, '', location.pathname);

/** Returns a secret of the link with which this page was opened; null if it had none. */
export function secretOfLink(name: 'token' | 'invitation'): string | null {
  return location.pathname === opened.path ? opened.values.get(name) : null;
}

/**
 * Returns whether `loadAnew` has reloaded the app at this history entry. The entry's state is kept
 * across a reload.
 */
export function wasLoadedAnew(): boolean {
  return (history.state as { isLoadedAnew?: boolean } | null)?.isLoadedAnew === true;
}

/**
 * Reloads the app at the same URL. Rejects if aborted or if the service does not answer, because
 * the browser would then show its own error page.
 */
export async function loadAnew(stop: AbortSignal): Promise<void> {
  const { ok } = await fetch(location.href, { headers: { accept: 'text/html' }, signal: stop });
  if (!ok) throw new Error('The service does not answer.');
  history.replaceState({ isLoadedAnew: true }, '');
  location.reload();
}
