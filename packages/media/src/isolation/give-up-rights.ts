import { statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { UnprivilegedUser } from './unprivileged-user.ts';

/** Loads code that would otherwise be loaded when it is first needed. */
export type Preload = () => Promise<unknown>;

/** Bit of a folder's mode that lets everybody pass through. */
const OTHERS_ENTER_BIT = 0o001;
/** Bit of a file's mode that lets everybody read. */
const OTHERS_READ_BIT = 0o004;

/**
 * Becomes `user` for good, with one group and without capabilities. The system then also prevents
 * processes of the same user from looking into this process. Call it before the first untrusted
 * byte is read.
 * @param user null to stay as we are
 * @param preloads called first if `user` cannot read this program's own files, such as a clone in
 * root's home
 */
export async function giveUpRights(
  user: UnprivilegedUser | null,
  preloads: readonly Preload[],
): Promise<void> {
  if (user === null) return;
  if (!canReadProgram()) await Promise.all(preloads.map((preload) => preload()));
  process.setgroups!([user.gid]);
  process.setgid!(user.gid);
  process.setuid!(user.uid);
}

/**
 * Makes the kernel end this process before those that hold tasks and accounts when memory runs out.
 * Only Linux supports this.
 * @param score 0..1000, as in proc(5), oom_score_adj
 */
export function preferToDie(score: number): void {
  if (process.platform !== 'linux') return;
  try {
    writeFileSync('/proc/self/oom_score_adj', String(score));
  } catch {
    // A container may mount this file read-only. Nothing depends on the score.
  }
}

/**
 * Returns whether everybody may read this repository and its packages, judged by a file of each.
 */
function canReadProgram(): boolean {
  const { resolve } = createRequire(import.meta.url);
  return [import.meta.filename, resolve('sharp')].every(isOpenToAll);
}

function isOpenToAll(file: string): boolean {
  if ((statSync(file).mode & OTHERS_READ_BIT) === 0) return false;
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    if ((statSync(folder).mode & OTHERS_ENTER_BIT) === 0) return false;
    if (folder === path.dirname(folder)) return true;
  }
}
