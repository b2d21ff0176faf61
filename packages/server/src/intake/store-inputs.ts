import type pg from 'pg';
import { registerObjects, UNCLAIMED_INPUT_LIFETIME_MS } from '../storage/objects.ts';
import { newStorageKey, type Storage } from '../storage/storage.ts';
import type { StoredInput } from '../tasks/task.ts';
import { discardInputs } from './discard-inputs.ts';

export interface StoreDeps {
  readonly pool: pg.Pool;
  readonly storage: Storage;
}

/** Checked file in a scratch folder. */
export interface CheckedFile {
  readonly path: string;
  /** Extension of the storage key, without the dot. */
  readonly extension: string;
  readonly input: Omit<StoredInput, 'objectKey'>;
}

/**
 * Moves checked files into storage, all or none. If no task claims them, they are deleted after
 * `UNCLAIMED_INPUT_LIFETIME_MS`.
 * @returns the inputs in the order of the files.
 */
export async function storeInputs(
  files: readonly CheckedFile[],
  accountId: string,
  { pool, storage }: StoreDeps,
): Promise<StoredInput[]> {
  const inputs = files.map(({ input, extension }) => ({
    ...input,
    objectKey: newStorageKey('input', extension),
  }));
  const deleteAfter = new Date(Date.now() + UNCLAIMED_INPUT_LIFETIME_MS);
  await registerObjects(
    pool,
    inputs.map(({ objectKey, sizeBytes }) => ({
      key: objectKey,
      kind: 'input',
      accountId,
      taskId: null,
      sizeBytes,
      deleteAfter,
    })),
  );
  const puts = inputs.map((input, index) => storage.put(input.objectKey, files[index]!.path));
  try {
    await Promise.all(puts);
  } catch (error) {
    // Waits for all writes first. A write that is still running would store its file after the
    // deletion, and the file would stay forever.
    await Promise.allSettled(puts);
    await discardInputs(inputs, { pool, storage });
    throw error;
  }
  return inputs;
}
