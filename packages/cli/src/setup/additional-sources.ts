import path from 'node:path';
import { AI_TASKS_LIMITS } from '@guise/contract/limits.ts';
import type { AdditionalSourceFile } from '@guise/engine-host/protocol/engine-job.ts';
import { requireReadable } from './output-file.ts';

/**
 * Checks and lists the photos given with `--source`.
 * @throws Error with a readable message if there are too many or one cannot be read
 */
export async function additionalSourceFiles(
  files: readonly string[] = [],
): Promise<readonly AdditionalSourceFile[]> {
  const most = AI_TASKS_LIMITS.additionalSourceImages;
  if (files.length > most) throw new Error(`--source may be given ${most} times at most.`);
  await Promise.all(files.map(requireReadable));
  return files.map((file) => ({ name: file, path: path.resolve(file) }));
}

/**
 * Returns the receipt's entry for several source photos: the share of each file. Empty if there was
 * only one photo.
 */
export function receiptOfSources(
  files: readonly string[],
  shares: readonly number[],
): { readonly sourceShares?: readonly { readonly file: string; readonly share: number }[] } {
  if (files.length === 1) return {};
  return {
    sourceShares: files.map((file, at) => ({ file, share: Math.round(1000 * shares[at]!) / 1000 })),
  };
}
