import { chmodSync, mkdirSync, statSync } from 'node:fs';

const PRIVATE_MODE = 0o700;
const OTHERS_MAY_ANYTHING = 0o077;

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
  if (found === undefined || (found.mode & OTHERS_MAY_ANYTHING) === 0) return;
  if (found.uid === process.geteuid?.()) chmodSync(dir, PRIVATE_MODE);
}
