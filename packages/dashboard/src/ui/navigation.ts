import { useSyncExternalStore } from 'react';

/** Name of the event that the app sends after it changed the path. */
const MOVED_EVENT = 'guise:moved';

/** Returns the current path of the app. The pages read the query and the fragment themselves. */
export function usePath(): string {
  return useSyncExternalStore(subscribe, () => location.pathname);
}

function subscribe(onChange: () => void): () => void {
  for (const event of ['popstate', MOVED_EVENT]) addEventListener(event, onChange);
  return () => {
    for (const event of ['popstate', MOVED_EVENT]) removeEventListener(event, onChange);
  };
}

/** Shows the page at `href`, from its top, without loading the app again. */
export function goTo(href: string): void {
  history.pushState(null, '', href);
  dispatchEvent(new Event(MOVED_EVENT));
  scrollTo(0, 0);
}

/**
 * Returns the value of `name` in the URL's fragment. If there is one, the fragment is removed from
 * the address bar and the history.
 */
export function takeFromFragment(name: string): string | null {
  const value = new URLSearchParams(location.hash.slice(1)).get(name);
  if (value !== null) history.replaceState(null, '', location.pathname);
  return value;
}

/**
 * Returns whether `loadAnew` reloaded the app at this entry of the history. The entry's state,
 * which says so, is kept across the reload.
 */
export function wasLoadedAnew(): boolean {
  return (history.state as { isLoadedAnew?: boolean } | null)?.isLoadedAnew === true;
}

/**
 * Reloads the app at the same address. Rejects if it is aborted or if the service does not answer,
 * because the browser would then show its own error page instead of the app.
 */
export async function loadAnew(stop: AbortSignal): Promise<void> {
  const { ok } = await fetch(location.href, { headers: { accept: 'text/html' }, signal: stop });
  if (!ok) throw new Error('The service does not answer.');
  history.replaceState({ isLoadedAnew: true }, '');
  location.reload();
}
