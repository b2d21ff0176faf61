import { lumaGrid, type SampleRows } from '@guise/kernels/scale/luma-grid.ts';
import { GRID_SIDE, MARK_BITS } from './carrier.ts';
import { findPattern } from './find-pattern.ts';
import type { FoundWatermark } from './found-watermark.ts';
import { idOf, readPayload } from './payload.ts';
import { readPattern } from './read-pattern.ts';
import { projectionsOf, softBit } from './projection.ts';

/** Exponents with which somebody may have changed the light. */
const GAMMAS = [1, 1 / 1.3, 1.3];
/**
 * Steps that a picture may have, from the smallest that is put in to the largest, after a change of
 * contrast by a quarter.
 */
const SEEN_STEPS = Array.from({ length: 72 }, (_, k) => 34 * 1.022 ** k);
/** Number of readings that may be right. The others would only give chance more tries. */
const BEST_READINGS = 8;
/** Deviations of the pattern that count as much as a certain bit of the lattice. */
const LATTICE_WEIGHTS = [Infinity, 4, 2];
/** Mean size of bits that are random. */
const RANDOM_CLEARNESS = 2 / Math.PI;

/** Bits of the lattice, if its points have a certain distance. */
interface Reading {
  readonly soft: Float64Array;
  /** Mean size of the bits, 0 to 1. */
  readonly clearness: number;
  /** How likely this is the right distance. */
  readonly score: number;
}

/**
 * Finds the watermark of a picture, which may have been made smaller, compressed, lit differently
 * or cropped to half of each side.
 * @returns null if there is none
 */
export function findWatermark(samples: SampleRows): FoundWatermark | null {
  const grid = lumaGrid(samples, GRID_SIDE);
  const deviations = readPattern(grid);
  return findInWhole(grid, deviations) ?? findPattern(samples, deviations);
}

/**
 * Finds the mark of a whole picture: in its lattice, or in lattice and pattern together, which hold
 * the same bits.
 * @param deviations of the pattern's bits
 */
function findInWhole(grid: Float32Array, deviations: Float64Array): FoundWatermark | null {
  const readings = GAMMAS.flatMap((gamma) => {
    const lit = gamma === 1 ? grid : grid.map((value) => 255 * (Math.max(0, value) / 255) ** gamma);
    const projections = projectionsOf(lit);
    return SEEN_STEPS.map((step): Reading => {
      const soft = projections.map((projection) => softBit(projection, step));
      const clearness = soft.reduce((sum, value) => sum + Math.abs(value), 0) / MARK_BITS;
      return { soft, clearness, score: clearness * readPayload(soft).agreement };
    });
  });
  for (const { soft, clearness } of readings.sort((a, b) => b.score - a.score).slice(0, BEST_READINGS)) {
    for (const weight of LATTICE_WEIGHTS) {
      const together = soft.map((value, b) => value + deviations[b]! / weight);
      const read = readPayload(together);
      const id = idOf(read);
      if (id === null) continue;
      const clear = (clearness - RANDOM_CLEARNESS) / (1 - RANDOM_CLEARNESS);
      return { id, confidence: Math.max(0, clear) * read.agreement };
    }
  }
  return null;
}
