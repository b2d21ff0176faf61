import path from 'node:path';

/**
 * Where engine process `pid` keeps its warm-up's files: named here, so that its parent removes them
 * if it kills it.
 */
export function warmUpDir(modelCacheDir: string, pid: number): string {
  return path.join(modelCacheDir, `warm-up-${pid}`);
}
