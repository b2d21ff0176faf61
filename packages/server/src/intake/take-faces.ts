import type pg from 'pg';
import { requireFace, type SavedFace, unknownFace } from '../faces/saved-face.ts';
import type { SourcePhotos, StoredInput } from '../tasks/task.ts';
import { copyInputs } from './copy-inputs.ts';
import { discardInputs } from './discard-inputs.ts';
import type { StoreDeps } from './store-inputs.ts';

/** A saved face that a request uses, with copies of its photos for the task. */
export interface TakenFace extends Pick<SavedFace, 'id' | 'consent'> {
  /** At least one. */
  readonly photos: readonly StoredInput[];
}

/**
 * Finds the saved faces that a request names.
 * @param wanted ids, by field
 * @throws AppError INVALID_REQUEST, FACE_WITHDRAWN
 */
export async function findFaces(
  wanted: ReadonlyMap<string, string>,
  accountId: string,
  { pool }: { readonly pool: pg.Pool },
): Promise<ReadonlyMap<string, SavedFace>> {
  const found = new Map<string, SavedFace>();
  for (const [field, id] of wanted) found.set(field, await requireFace(pool, accountId, field, id));
  return found;
}

/**
 * Copies the photos of saved faces for a task, which deletes them with its other inputs.
 * @param sent inputs of the request, which are deleted if this fails
 * @throws AppError INVALID_REQUEST if a face was deleted in the meantime
 */
export async function copyFaces(
  faces: ReadonlyMap<string, SavedFace>,
  sent: readonly StoredInput[],
  accountId: string,
  deps: StoreDeps,
): Promise<ReadonlyMap<string, TakenFace>> {
  const taken = new Map<string, TakenFace>();
  try {
    for (const [field, { id, consent, photos }] of faces) {
      const names = photos.map((_, at) => (at === 0 ? field : `${field}[${at}]`));
      const copies = await copyInputs(photos, accountId, deps, names);
      if (copies === null) throw unknownFace(field);
      taken.set(field, { id, consent, photos: copies });
    }
    return taken;
  } catch (error) {
    await discardInputs([...sent, ...photosOf(taken)], deps);
    throw error;
  }
}

/** Lists the copied photos of all faces. */
export function photosOf(faces: ReadonlyMap<string, TakenFace>): StoredInput[] {
  return [...faces.values()].flatMap(({ photos }) => photos);
}

/** Returns a saved face as the source of a swap. */
export function sourceOf({ photos: [source, ...additionalSources] }: TakenFace): SourcePhotos {
  return additionalSources.length === 0 ? { source: source! } : { source: source!, additionalSources };
}

/** Lists the fields and ids of faces, for a new task. */
export function idsOf(faces: ReadonlyMap<string, TakenFace>): { field: string; id: string }[] {
  return Array.from(faces, ([field, { id }]) => ({ field, id }));
}
