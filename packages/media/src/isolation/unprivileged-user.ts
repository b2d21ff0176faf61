import { spawnSync } from 'node:child_process';

/** A user by numbers: it needs no entry in the system's list of users. */
export interface UnprivilegedUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Users without rights for the processes that open strangers' files, where guise itself runs as
 * root. Nobody else has these numbers: systemd gives its own users up to 65519, and `nobody` is
 * 65534.
 */
const GID = 65_521;

/** Runs the engine, which writes outputs. */
export const ENGINE_USER: UnprivilegedUser = { uid: 65_521, gid: GID };

/**
 * Runs what only looks at a file: the reader of a video's length, the reader of content
 * credentials.
 */
export const READER_USER: UnprivilegedUser = { uid: 65_522, gid: GID };

let isPossible: boolean | undefined;

/**
 * Whether child processes can run as another user than this one: only root may change users, and a
 * container may keep even root from it.
 */
export function canChangeUser(): boolean {
  isPossible ??= process.getuid?.() === 0 && spawnSync('/bin/sh', ['-c', ':'], READER_USER).status === 0;
  return isPossible;
}

/** `user` where a child can run as it, else null: the child then runs as this process does. */
export function ifPossible(user: UnprivilegedUser): UnprivilegedUser | null {
  return canChangeUser() ? user : null;
}
