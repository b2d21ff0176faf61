import { TaskFailure } from '@guise/contract/errors.ts';
import type { Storage } from '../storage/storage.ts';
import type { StoredInput } from '../tasks/task.ts';

/** Uploads as local files while `use` runs, in their order. */
export async function withInputs<T>(
  storage: Storage,
  inputs: readonly StoredInput[],
  use: (paths: readonly string[]) => Promise<T>,
): Promise<T> {
  const [input, ...rest] = inputs;
  if (input === undefined) return use([]);
  if ((await storage.sizeBytes(input.objectKey)) === null) {
    throw new TaskFailure('INTERNAL_ERROR', `The uploaded ${input.field} is no longer stored.`);
  }
  return storage.withLocalFile(input.objectKey, (path) =>
    withInputs(storage, rest, (paths) => use([path, ...paths])),
  );
}
