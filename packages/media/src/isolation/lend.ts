import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { chmod, chown, constants, copyFile, link } from 'node:fs/promises';
import type { UnprivilegedUser } from './unprivileged-user.ts';

/**
 * Makes a folder that belongs to `user`, or to the user of this process if `user` is null. Other
 * users cannot open the folder.
 */
export function makeFolderFor(user: UnprivilegedUser | null, folder: string): void {
  mkdirSync(folder, { mode: 0o700 });
  if (user !== null) chownSync(folder, user.uid, user.gid);
}

/**
 * Makes a folder that belongs to the user of this process. `user` can reach files in it by their
 * path, but can neither list nor change the folder.
 */
export function makePassage(user: UnprivilegedUser | null, folder: string): void {
  mkdirSync(folder, { mode: 0o700 });
  if (user === null) return;
  chownSync(folder, process.getuid!(), user.gid);
  chmodSync(folder, 0o710);
}

/** Options of `lendFile`. */
export interface LendOptions {
  /**
   * Whether the file belongs to this service. If so, its group and mode may change, and it is
   * linked instead of copied if possible.
   */
  readonly isOurs: boolean;
}

/**
 * Links or copies a file to `lentPath`, where `user` may read it. The caller deletes `lentPath`.
 */
export async function lendFile(
  user: UnprivilegedUser,
  filePath: string,
  lentPath: string,
  { isOurs }: LendOptions,
): Promise<void> {
  if (isOurs && (await tryLink(filePath, lentPath))) {
    await letRead(user, lentPath);
    return;
  }
  await copyFile(filePath, lentPath, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  await letRead(user, lentPath);
}

async function letRead({ gid }: UnprivilegedUser, filePath: string): Promise<void> {
  await chown(filePath, -1, gid);
  await chmod(filePath, 0o640);
}

/**
 * Tries to make a hard link to the file. File systems without hard links make none, and none exists
 * between two file systems.
 * @returns whether the link was made
 */
async function tryLink(filePath: string, lentPath: string): Promise<boolean> {
  try {
    await link(filePath, lentPath);
    return true;
  } catch (error) {
    if (['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(error))) return false;
    throw error;
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}
