import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { chmod, chown, constants, copyFile, link, mkdir } from 'node:fs/promises';
import type { UnprivilegedUser } from './unprivileged-user.ts';

/**
 * Makes a folder that belongs to `user`, or to us if that is null. Nobody else can look into it.
 */
export async function makeFolderFor(user: UnprivilegedUser | null, folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  if (user !== null) await chown(folder, user.uid, user.gid);
}

/** Makes a folder of ours that `user` can pass through, but neither list nor change. */
export function makePassage(user: UnprivilegedUser | null, folder: string): void {
  mkdirSync(folder, { mode: 0o700 });
  if (user === null) return;
  chownSync(folder, process.getuid!(), user.gid);
  chmodSync(folder, 0o710);
}

/** Options of a loan. */
export interface LendOptions {
  /**
   * Whether the file is this service's own: its group and mode may then change, and it is linked
   * instead of copied if possible.
   */
  readonly isOurs: boolean;
}

/** Puts a file under the path `lentPath`, where `user` may read it. The caller deletes it there. */
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
 * Tries to link the file. Some file systems have no links, and none has them across its border.
 * @returns whether it is linked
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
