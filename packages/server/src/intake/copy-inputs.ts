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
 * @returns the copies in the given order; null if a file has been deleted.
 */
export async function copyInputs(
  inputs: readonly StoredInput[],
  accountId: string,
  deps: StoreDeps,
): Promise<StoredInput[] | null> {
  const { storage } = deps;
  const sizeBytes = inputs.reduce((sum, input) => sum + input.sizeBytes, 0);
  const room = await storage.scratch.promiseRoom(accountId, sizeBytes);
  const files = inputs.map(({ objectKey, ...input }): CheckedFile => {
    const extension = path.extname(objectKey).slice(1);
    return { path: storage.scratch.newPath(extension), extension, input };
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
