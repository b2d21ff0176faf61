import { Store } from '../../../api/store.ts';
import { type Draft, EMPTY_DRAFT, withFaces } from './draft.ts';

const store = new Store(EMPTY_DRAFT);

/**
 * Changes some members of the draft. Choices that belong to a target go with it, and a saved face
 * and photos of a face replace each other.
 */
export function changeDraft(change: Partial<Draft>): void {
  store.set({
    ...store.get(),
    ...(change.group === undefined ? {} : { mappings: [] }),
    ...(change.film === undefined ? {} : { people: new Map(), part: null }),
    ...(change.savedFace ? { faces: [], people: new Map() } : {}),
    ...(change.faces?.length ? { savedFace: null } : {}),
    ...change,
  });
}

/** Takes the saved faces out of the draft that cannot be used any more. */
export function keepFaces(usable: ReadonlySet<string>): void {
  store.set(withFaces(store.get(), usable));
}

/** Returns the draft, which is shared by all visits of the page. */
export function useDraft(): Draft {
  return store.use();
}
