import { chmod, mkdir, mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../write-durably.ts';
import type { SigningFiles, SigningPems } from './signing-identity.ts';

/** Subfolder of an identity's folder for the chains that signed before it. */
const EARLIER_FOLDER = 'earlier';

/**
 * Returns the paths of an identity's files in its folder. An operator may store another identity
 * under these names.
 */
export function signingFilesIn(folder: string): SigningFiles {
  return {
    certificatePath: path.join(folder, 'certificate-chain.pem'),
    keyPath: path.join(folder, 'private-key.pem'),
  };
}

/** Reads the texts of an identity. @throws the file system's own error */
export async function readSigningPems({ certificatePath, keyPath }: SigningFiles): Promise<SigningPems> {
  const [chainPem, keyPem] = await Promise.all(
    [certificatePath, keyPath].map((file) => readFile(file, 'utf8')),
  );
  return { chainPem: chainPem!, keyPem: keyPem! };
}

/** Reads the texts of the identity in a folder. Returns null if no identity can be read. */
export async function findSigningPems(folder: string): Promise<SigningPems | null> {
  try {
    return await readSigningPems(signingFilesIn(folder));
  } catch {
    return null;
  }
}

/** Reads the chains that signed before the identity in a folder, oldest first. */
export async function readEarlierChains(folder: string): Promise<string[]> {
  const earlier = path.join(folder, EARLIER_FOLDER);
  try {
    const names = (await readdir(earlier)).sort();
    return await Promise.all(names.map((name) => readFile(path.join(earlier, name), 'utf8')));
  } catch {
    return [];
  }
}

/**
 * Replaces the content of a folder with an identity. If several processes do this at once, one of
 * them wins.
 * @param keepOld whether to keep the old content under another name: it may be the only copy of its
 * key
 * @returns the path of the old content; null if there was none or `keepOld` is false
 * @throws the file system's own error
 */
export async function replaceSigningFolder(
  folder: string,
  pems: SigningPems,
  earlierChains: readonly string[],
  { keepOld }: { readonly keepOld: boolean },
): Promise<string | null> {
  const part = await writeSigningFolder(folder, pems, earlierChains);
  const old = part.replace(/\.part-(\w+)$/, '.before-$1');
  const isMoved = await succeeds(rename(folder, old), 'ENOENT');
  if (!(await succeeds(rename(part, folder), 'ENOTEMPTY', 'EEXIST'))) {
    await rm(part, { recursive: true, force: true });
  }
  await syncFolder(path.dirname(path.resolve(folder)));
  if (isMoved && keepOld) return old;
  await rm(old, { recursive: true, force: true });
  return null;
}

/**
 * Returns whether an action succeeds; false if it fails with one of these codes. @throws any other
 * error
 */
async function succeeds(action: Promise<unknown>, ...codes: readonly string[]): Promise<boolean> {
  try {
    await action;
    return true;
  } catch (error) {
    if (codes.includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/**
 * Writes an identity to a new folder beside its own, completely and to the disk.
 * @returns a folder to be renamed to `folder`
 */
export async function writeSigningFolder(
  folder: string,
  { chainPem, keyPem }: SigningPems,
  earlierChains: readonly string[] = [],
): Promise<string> {
  const parent = path.dirname(path.resolve(folder));
  await mkdir(parent, { recursive: true });
  const part = await mkdtemp(path.join(parent, `${path.basename(folder)}.part-`));
  try {
    const { certificatePath, keyPath } = signingFilesIn(part);
    await writeSynced(certificatePath, chainPem, 0o644);
    await writeSynced(keyPath, keyPem, 0o600);
    if (earlierChains.length > 0) {
      const earlier = path.join(part, EARLIER_FOLDER);
      await mkdir(earlier);
      for (const [index, chain] of earlierChains.entries()) {
        await writeSynced(path.join(earlier, `${String(index + 1).padStart(4, '0')}.pem`), chain, 0o644);
      }
      await syncFolder(earlier);
    }
    await chmod(part, 0o700);
    await syncFolder(part);
    return part;
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    throw error;
  }
}

async function writeSynced(filePath: string, text: string, mode: number): Promise<void> {
  await using file = await open(filePath, 'wx', mode);
  await file.writeFile(text);
  await file.sync();
}
