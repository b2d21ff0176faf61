import { spawnSync } from 'node:child_process';

/** A user by numbers, which needs no entry in the system's list of users. */
export interface UnprivilegedUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Group of the processes that open untrusted files, if guise runs as root. The numbers are free:
 * systemd gives its own users up to 65519, 65520 is PostgreSQL's
 * (`packages/server/src/db/unprivileged-user.ts`), and `nobody` is 65534.
 */
const UNPRIVILEGED_GID = 65_521;

/** User of the engine, which writes outputs. */
export const ENGINE_USER: UnprivilegedUser = { uid: 65_521, gid: UNPRIVILEGED_GID };

/** User of the readers of a video's length and of content credentials. */
export const READER_USER: UnprivilegedUser = { uid: 65_522, gid: UNPRIVILEGED_GID };

let isPossible: boolean | undefined;

/**
 * Returns whether child processes can run as another user. Only root may change users, and a
 * container may forbid this even to root.
 */
export function canChangeUser(): boolean {
  isPossible ??= process.getuid?.() === 0 && spawnSync('/bin/sh', ['-c', ':'], READER_USER).status === 0;
  return isPossible;
}

/**
 * Returns `user` if a child can run as that user; null if the child must run as this process does.
 */
export function ifPossible(user: UnprivilegedUser): UnprivilegedUser | null {
  return canChangeUser() ? user : null;
}
