import type { Undeleted } from './storage.ts';

/** Deletes every key by itself, at most `atATime` at once. @returns those whose deletion failed. */
export async function inParallel(
  keys: readonly string[],
  atATime: number,
  deleteOne: (key: string) => Promise<void>,
): Promise<readonly Undeleted[]> {
  const undeleted: Undeleted[] = [];
  // One iterator for all of them: each takes the next key when it is done with its last.
  const left = keys.values();
  const work = async (): Promise<void> => {
    for (const key of left) await deleteOne(key).catch((cause: unknown) => undeleted.push({ key, cause }));
  };
  await Promise.all(Array.from({ length: Math.min(atATime, keys.length) }, work));
  return undeleted;
}
