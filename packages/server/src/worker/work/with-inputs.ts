import { TaskFailure } from '@guise/contract/errors.ts';
import type { Storage } from '../../storage/storage.ts';
import type { StoredInput } from '../../tasks/task.ts';

/** A file on this machine that exists as long as its owner keeps it. */
export interface LocalInput {
  readonly localPath: string;
}

/** A file in storage. */
export type RestingInput = Pick<StoredInput, 'field' | 'objectKey'>;

/** Provides files as local files while `use` runs, in the given order. */
export async function withInputs<T>(
  storage: Storage,
  inputs: readonly (RestingInput | LocalInput)[],
  use: (paths: readonly string[]) => Promise<T>,
): Promise<T> {
  const [input, ...rest] = inputs;
  if (input === undefined) return use([]);
  const useWith = (path: string): Promise<T> => withInputs(storage, rest, (paths) => use([path, ...paths]));
  if ('localPath' in input) return useWith(input.localPath);
  if ((await storage.sizeBytes(input.objectKey)) === null) {
    throw new TaskFailure('INTERNAL_ERROR', `The uploaded ${input.field} is no longer stored.`);
  }
  return storage.withLocalFile(input.objectKey, useWith);
}
