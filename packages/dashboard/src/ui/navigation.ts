/**
 * Returns the value of `name` in the URL's fragment. Then removes the fragment from the address bar
 * and the history.
 */
export function takeFromFragment(name: string): string | null {
  const value = new URLSearchParams(location.hash.slice(1)).get(name);
  if (value !== null) history.replaceState(null, '', location.pathname);
  return value;
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
