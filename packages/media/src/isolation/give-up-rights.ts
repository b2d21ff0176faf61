import { statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { UnprivilegedUser } from './unprivileged-user.ts';

/** Code that is otherwise loaded when it is first needed. */
export type Preload = () => Promise<unknown>;

const OTHERS_MAY_ENTER = 0o001;
const OTHERS_MAY_READ = 0o004;

/**
 * Becomes `user` for good, with its one group and no capability. The system then also keeps
 * processes of the same user from looking into this one. Must be called before the first stranger's
 * byte is read.
 * @param user null: stay who we are
 * @param preloads called first where `user` cannot read this program's own files, such as a clone
 * in root's home
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
 * Makes this process the kernel's choice when memory runs out, before those that hold tasks and
 * accounts.
 * @param score 0..1000, as in proc(5), oom_score_adj. Only Linux knows it.
 */
export function preferToDie(score: number): void {
  if (process.platform !== 'linux') return;
  try {
    writeFileSync('/proc/self/oom_score_adj', String(score));
  } catch {
    // A container may mount it read-only; nothing depends on it.
  }
}

/**
 * Whether everybody may read this repository and the packages beside it, by the modes of a file of
 * each.
 */
function canReadProgram(): boolean {
  const { resolve } = createRequire(import.meta.url);
  return [import.meta.filename, resolve('sharp')].every(isOpenToAll);
}

function isOpenToAll(file: string): boolean {
  if ((statSync(file).mode & OTHERS_MAY_READ) === 0) return false;
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    if ((statSync(folder).mode & OTHERS_MAY_ENTER) === 0) return false;
    if (folder === path.dirname(folder)) return true;
  }
}
