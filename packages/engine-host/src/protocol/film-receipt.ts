import type { FilmReceipt } from '@guise/engine/film/film-plan.ts';
import type { PersonReceipt } from '@guise/engine/pipeline/draw-segment.ts';
import type { SwapPersonsOutcome } from './engine-job.ts';

/** Report about a drawn film, of one segment or several. */
export interface DrawnFilm extends Pick<
  SwapPersonsOutcome,
  'facesFound' | 'frames' | 'longestGapFrames' | 'identitySimilarity' | 'persons'
> {
  /** Share of each photo of the source, for each person; empty if no face was drawn. */
  readonly sourceShares: readonly (readonly number[])[];
}

/**
 * Combines what the choice of faces and drawing told about a film.
 * @param segments one receipt for each person, for each segment
 */
export function receiptOfFilm(
  { facesFound, frames, longestGapFrames, persons }: FilmReceipt,
  segments: readonly (readonly PersonReceipt[])[],
): DrawnFilm {
  const each = persons.map((person, k) => ({
    ...person,
    identitySimilarity: middleOf(segments.flatMap((drawn) => drawn[k]!.similarities)),
  }));
  const similarities = each.flatMap(({ identitySimilarity }) => identitySimilarity ?? []);
  return {
    facesFound,
    frames,
    longestGapFrames,
    identitySimilarity: similarities.length === 0 ? null : Math.min(...similarities),
    persons: each,
    sourceShares: persons.map(
      (_, k) => segments.map((drawn) => drawn[k]!.sourceShares).find(({ length }) => length > 0) ?? [],
    ),
  };
}

/** Returns the median; null if there are no values. */
function middleOf(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? null;
}
