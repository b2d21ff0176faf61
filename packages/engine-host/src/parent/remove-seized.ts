import { constants, open, readdir, rmdir, unlink } from 'node:fs/promises';

/**
 * Removes a file, or a folder that another user may still be writing to. Each folder is taken from
 * that user before it is walked: what is in it can then no longer be replaced by a link that would
 * lead us elsewhere.
 * @param entry stands in a folder that only we can write to. Bytes, because names may be no text.
 */
export async function removeSeized(entry: Buffer): Promise<void> {
  try {
    await unlink(entry);
  } catch (error) {
    // What the systems answer for a folder: Linux, and POSIX.
    if (!['EISDIR', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await seize(entry);
    for (const name of await readdir(entry, { encoding: 'buffer' })) {
      await removeSeized(Buffer.concat([entry, SEPARATOR, name]));
    }
    await rmdir(entry);
  }
}

const SEPARATOR = Buffer.from('/');

async function seize(folder: Buffer): Promise<void> {
  await using handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  await handle.chown(process.getuid!(), process.getgid!());
  await handle.chmod(0o700);
}
