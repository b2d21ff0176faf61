import { GRID_SIDE, MARK_BITS } from './carrier.ts';
import { readPayload, syncOf } from './payload.ts';
import { projectionsOf, softBit } from './projection.ts';
import { lumaGrid, type SampleRows } from '@guise/kernels/scale/luma-grid.ts';

/** A mark that was found. */
export interface FoundWatermark {
  readonly id: Uint8Array;
  /** How clear its bits are: 1 as they were put in, about 0.6 for random ones. */
  readonly clearness: number;
}

/** Exponents with which somebody may have changed the light. */
const GAMMAS = [1, 1 / 1.3, 1.3];
/**
 * Steps that a picture may have, from the smallest that is put in to the largest, after a change of
 * contrast by a quarter.
 */
const SEEN_STEPS = Array.from({ length: 36 }, (_, k) => 49 * 1.032 ** k);

/**
 * Finds the mark of a whole picture, which may have been made smaller, compressed or lit
 * differently, but not cropped.
 * @returns null if there is none
 */
export function findWatermark(samples: SampleRows): FoundWatermark | null {
  const grid = lumaGrid(samples, GRID_SIDE);
  const readings = GAMMAS.flatMap((gamma) => {
    const lit = gamma === 1 ? grid : grid.map((value) => 255 * (Math.max(0, value) / 255) ** gamma);
    const projections = projectionsOf(lit);
    return SEEN_STEPS.map((step) => {
      const soft = projections.map((projection) => softBit(projection, step));
      const clearness = soft.reduce((sum, value) => sum + Math.abs(value), 0) / MARK_BITS;
      return { soft, clearness, score: syncOf(soft) + clearness };
    });
  });
  for (const { soft, clearness } of readings.sort((a, b) => b.score - a.score)) {
    const id = readPayload(soft);
    if (id !== null) return { id, clearness };
  }
  return null;
}
