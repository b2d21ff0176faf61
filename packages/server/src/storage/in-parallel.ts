import type { Undeleted } from './storage.ts';

/**
 * Deletes each key separately, at most `atATime` at once. @returns the keys that could not be
 * deleted.
 */
export async function inParallel(
  keys: readonly string[],
  atATime: number,
  deleteOne: (key: string) => Promise<void>,
): Promise<readonly Undeleted[]> {
  const undeleted: Undeleted[] = [];
  // All loops share one iterator, so each takes the next key after it has deleted its last one.
  const left = keys.values();
  const work = async (): Promise<void> => {
    for (const key of left) await deleteOne(key).catch((cause: unknown) => undeleted.push({ key, cause }));
  };
  await Promise.all(Array.from({ length: Math.min(atATime, keys.length) }, work));
  return undeleted;
}
