import { useSyncExternalStore } from 'react';

/** Name of the event that follows a change of the path. */
const MOVED_EVENT = 'guise:moved';

/** The path under which the app stands now; the query and the fragment are the pages' own. */
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
 * The member `name` of the fragment, taken out of the address bar and its history as soon as it was
 * read.
 */
export function takeFromFragment(name: string): string | null {
  const value = new URLSearchParams(location.hash.slice(1)).get(name);
  if (value !== null) history.replaceState(null, '', location.pathname);
  return value;
}

/** Says whether the app was loaded anew at this entry of the history, which outlives the load. */
export function wasLoadedAnew(): boolean {
  return (history.state as { isLoadedAnew?: boolean } | null)?.isLoadedAnew === true;
}

/**
 * Loads the app anew at the same place. Rejects once aborted, or if the service does not answer:
 * the browser would have a page of its own in the app's place.
 */
export async function loadAnew(stop: AbortSignal): Promise<void> {
  const { ok } = await fetch(location.href, { headers: { accept: 'text/html' }, signal: stop });
  if (!ok) throw new Error('The service does not answer.');
  history.replaceState({ isLoadedAnew: true }, '');
  location.reload();
}
