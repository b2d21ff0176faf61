import { useSyncExternalStore } from 'react';
import { type Draft, EMPTY_DRAFT } from './draft.ts';

// The draft is kept outside of the page, so that it is still there after a visit of another page.
let draft = EMPTY_DRAFT;
const listeners = new Set<() => void>();

/** Changes some members of the draft. */
export function changeDraft(change: Partial<Draft>): void {
  draft = { ...draft, ...change };
  // Choices that belong to a target go with it.
  if (change.group !== undefined) draft = { ...draft, mappings: change.mappings ?? [] };
  if (change.film !== undefined) draft = { ...draft, people: new Map(), part: null };
  for (const listener of listeners) listener();
}

/** Returns the draft, which is shared by all visits of the page. */
export function useDraft(): Draft {
  return useSyncExternalStore(subscribe, () => draft);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
