import { chmodSync, mkdirSync, statSync } from 'node:fs';

/** Mode of a folder that only its owner may enter. */
const PRIVATE_MODE = 0o700;

/** Mode bits by which a folder's group or others may do anything. */
const NON_OWNER_MODE_BITS = 0o077;

/** Mode of the data folder: another user that runs PostgreSQL passes through, and sees no names. */
const DATA_DIR_MODE = 0o711;

/**
 * Makes the data folder, before anything in it is made; what is private lies in folders that are.
 */
export function makeDataDir(dir: string): void {
  // Chosen for a new one whatever the umask is; an older one stays as its owner made it.
  if (mkdirSync(dir, { recursive: true }) !== undefined) chmodSync(dir, DATA_DIR_MODE);
}

/** Makes a folder that only its owner may enter; one that is there already is closed to others. */
export function makePrivateFolder(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: PRIVATE_MODE });
  closeToOthers(dir);
}

/**
 * Lets only its owner enter a folder that an older version or a copy left open, if it exists and is
 * ours.
 */
export function closeToOthers(dir: string): void {
  const found = statSync(dir, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & NON_OWNER_MODE_BITS) === 0) return;
  if (found.uid === process.geteuid?.()) chmodSync(dir, PRIVATE_MODE);
}
