import { MARK_BITS } from './carrier.ts';
import { readPayload, syncOf } from './payload.ts';
import { projectionsOf, softBit } from './projection.ts';
import { type Plane, toGrid } from './resample.ts';

/** A mark that was found. */
export interface FoundMark {
  readonly id: Uint8Array;
  /** How clear its bits are: 1 as they were put in, about 0.6 for random ones. */
  readonly clearness: number;
}

/** Exponents with which somebody may have changed the light. */
const GAMMAS = [1, 1 / 1.3, 1.3];
/** Factors by which the contrast may have changed. */
const GAINS = Array.from({ length: 25 }, (_, k) => 0.76 + 0.02 * k);

/**
 * Finds the mark of a whole picture, which may have been made smaller, compressed or lit
 * differently, but not cropped.
 * @param luma 0..255
 * @returns null if there is none
 */
export function findMark(luma: Plane): FoundMark | null {
  const grid = toGrid(luma);
  let best = { soft: new Float64Array(MARK_BITS), score: -Infinity, clearness: 0 };
  for (const gamma of GAMMAS) {
    const lit = gamma === 1 ? grid : grid.map((value) => 255 * (Math.max(0, value) / 255) ** gamma);
    const projections = projectionsOf(lit);
    for (const gain of GAINS) {
      const soft = projections.map((projection) => softBit(projection / gain));
      const clearness = soft.reduce((sum, value) => sum + Math.abs(value), 0) / MARK_BITS;
      const score = syncOf(soft) + clearness;
      if (score > best.score) best = { soft, score, clearness };
    }
  }
  const id = readPayload(best.soft);
  return id && { id, clearness: best.clearness };
}
