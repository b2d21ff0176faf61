import { chmodSync, mkdirSync, statSync } from 'node:fs';

/** Mode of a folder that only its owner may enter. */
const PRIVATE_MODE = 0o700;

/** Mode bits that give a folder's group or others any access. */
const NON_OWNER_MODE_BITS = 0o077;

/**
 * Mode of the data folder. The user that runs PostgreSQL may pass through the folder but not list
 * it.
 */
const DATA_DIR_MODE = 0o711;

/** Makes the data folder. It must be made first; private files are in private folders inside it. */
export function makeDataDir(dir: string): void {
  // Sets the mode of a new folder regardless of the umask. The mode of an existing folder is kept.
  if (mkdirSync(dir, { recursive: true }) !== undefined) chmodSync(dir, DATA_DIR_MODE);
}

/**
 * Makes a folder that only its owner may enter. Access by others to an existing folder is removed.
 */
export function makePrivateFolder(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: PRIVATE_MODE });
  closeToOthers(dir);
}

/**
 * Removes access by others to a folder that an older version or a copy left open, if the folder
 * exists and is ours.
 */
export function closeToOthers(dir: string): void {
  const found = statSync(dir, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & NON_OWNER_MODE_BITS) === 0) return;
  if (found.uid === process.geteuid?.()) chmodSync(dir, PRIVATE_MODE);
}
