import path from 'node:path';

/**
 * Returns the folder of an engine process's warm-up files. A parent that kills the process removes
 * the folder.
 */
export function warmUpDir(modelCacheDir: string, pid: number): string {
  return path.join(modelCacheDir, `warm-up-${pid}`);
}
