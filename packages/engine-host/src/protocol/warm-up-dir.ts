import path from 'node:path';

/**
 * Returns the folder of an engine process's warm-up files, which its parent removes if it kills it.
 */
export function warmUpDir(modelCacheDir: string, pid: number): string {
  return path.join(modelCacheDir, `warm-up-${pid}`);
}
