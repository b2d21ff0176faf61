import { constants, open, readdir, rmdir, unlink } from 'node:fs/promises';

/** Separator of the names in a path, as bytes. */
const SEPARATOR = Buffer.from('/');

/**
 * Removes a file, or a folder to which another user may still be writing. Each folder is taken from
 * that user before its content is removed, so that the user cannot replace anything in it by a link
 * to another place.
 * @param entry path in a folder that only we can write to, as bytes because names may not be text
 */
export async function removeSeized(entry: Buffer): Promise<void> {
  try {
    await unlink(entry);
  } catch (error) {
    // Codes for a folder: EISDIR on Linux, EPERM by POSIX.
    if (!['EISDIR', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await seize(entry);
    for (const name of await readdir(entry, { encoding: 'buffer' })) {
      await removeSeized(Buffer.concat([entry, SEPARATOR, name]));
    }
    await rmdir(entry);
  }
}

async function seize(folder: Buffer): Promise<void> {
  await using handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  await handle.chown(process.getuid!(), process.getgid!());
  await handle.chmod(0o700);
}
