import { constants } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '../storage/local-storage.ts';
import type { StoredInput } from '../tasks/task.ts';
import type { CheckedFile, StoreDeps } from './store-inputs.ts';
import { storeInputs } from './store-inputs.ts';

/**
 * Copies stored files for a new task, because a file belongs to one task and is deleted with it.
 * Copies all files or none.
 * @param fields names of the copies' form fields. Default: those of the inputs
 * @returns the copies in the given order; null if a file has been deleted.
 */
export async function copyInputs(
  inputs: readonly StoredInput[],
  accountId: string,
  deps: StoreDeps,
  fields: readonly string[] = inputs.map(({ field }) => field),
): Promise<StoredInput[] | null> {
  const { storage } = deps;
  const sizeBytes = inputs.reduce((sum, input) => sum + input.sizeBytes, 0);
  const room = await storage.scratch.promiseRoom(accountId, sizeBytes);
  const files = inputs.map(({ objectKey, ...input }, index): CheckedFile => {
    const extension = path.extname(objectKey).slice(1);
    const named = Object.assign(input, { field: fields[index]! });
    return { path: storage.scratch.newPath(extension), extension, input: named };
  });
  try {
    for (const [index, { objectKey }] of inputs.entries()) {
      const copy = files[index]!.path;
      await storage.withLocalFile(objectKey, (file) => copyFile(file, copy, constants.COPYFILE_FICLONE));
    }
    return await storeInputs(files, accountId, deps);
  } catch (error) {
    for (const file of files) await rm(file.path, { force: true });
    if (isMissing(error)) return null;
    throw error;
  } finally {
    room.release();
  }
}
