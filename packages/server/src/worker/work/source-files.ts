import type { SourcePhotos, StoredInput } from '../../tasks/task.ts';
import type { AdditionalSourceFile, SourceFiles } from '@guise/engine-host/protocol/engine-job.ts';

/** An order that may have several source photos. */
export interface SourceOrder extends Pick<SourcePhotos, 'additionalSources'> {
  readonly source: Pick<StoredInput, 'field'>;
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

/** Photos of a person who replaces a person of a film. */
export interface FilmSource extends SourcePhotos {
  /** Whether error messages name the form field of the first photo. */
  readonly isNamed: boolean;
}

/** Lists the photos of all sources. */
export function photosOf(sources: readonly SourcePhotos[]): StoredInput[] {
  return sources.flatMap(({ source, additionalSources = [] }) => [source, ...additionalSources]);
}

/**
 * Returns sources in the engine's form; each is named after the form field of its first photo,
 * unless it is not to be named.
 * @param paths one path for each of `photosOf`
 */
export function filesOfSources(
  sources: readonly (SourcePhotos & Partial<FilmSource>)[],
  paths: readonly string[],
): readonly SourceFiles[] {
  let next = 0;
  return sources.map((one) => {
    const { isNamed = true } = one;
    const path = paths[next]!;
    const end = next + 1 + (one.additionalSources ?? []).length;
    const additional = additionalSourceFiles(one, paths.slice(next + 1, end));
    next = end;
    return { path, ...(isNamed && { name: one.source.field }), additional };
  });
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
