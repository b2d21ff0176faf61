import { chmodSync, mkdirSync, statSync } from 'node:fs';

/** Mode of a folder that only its owner may enter. */
const PRIVATE_MODE = 0o700;

/** Mode bits by which a folder's group or others may do anything. */
const NON_OWNER_MODE_BITS = 0o077;

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
