import type { StoredInput } from '../../tasks/task.ts';
import type { AdditionalSourceFile } from '@guise/engine-host/protocol/engine-job.ts';

/** An order that may have several source photos. */
export interface SourceOrder {
  readonly source: Pick<StoredInput, 'field'>;
  readonly additionalSources?: readonly StoredInput[];
}

/**
 * Returns an order's additional photos in the engine's form. @param paths one path for each photo
 */
export function additionalSourceFiles(
  { additionalSources = [] }: SourceOrder,
  paths: readonly string[],
): readonly AdditionalSourceFile[] {
  return additionalSources.map(({ field }, at) => ({ name: field, path: paths[at]! }));
}

/**
 * Returns the receipt's shares of the source photos; nothing if there is only one photo.
 * @param shares of the source and then of each additional photo
 */
export function receiptOfSources(
  { source, additionalSources = [] }: SourceOrder,
  shares: readonly number[],
): { readonly sourceShares?: Readonly<Record<string, number>> } {
  if (additionalSources.length === 0) return {};
  const fields = [source, ...additionalSources].map(({ field }) => field);
  return { sourceShares: Object.fromEntries(fields.map((field, at) => [field, rounded(shares[at]!)])) };
}

function rounded(share: number): number {
  return Math.round(1000 * share) / 1000;
}
