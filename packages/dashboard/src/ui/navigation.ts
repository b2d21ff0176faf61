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
