import { lumaGrid, type SampleRows } from '@guise/kernels/scale/luma-grid.ts';
import { GRID_SIDE, MARK_BITS } from './carrier.ts';
import { findPattern } from './find-pattern.ts';
import type { FoundWatermark } from './found-watermark.ts';
import { readPayload, syncOf } from './payload.ts';
import { projectionsOf, softBit } from './projection.ts';

/** Exponents with which somebody may have changed the light. */
const GAMMAS = [1, 1 / 1.3, 1.3];
/**
 * Steps that a picture may have, from the smallest that is put in to the largest, after a change of
 * contrast by a quarter.
 */
const SEEN_STEPS = Array.from({ length: 36 }, (_, k) => 49 * 1.032 ** k);
/** Mean size of bits that are random. */
const RANDOM_CLEARNESS = 2 / Math.PI;

/**
 * Finds the watermark of a picture, which may have been made smaller, compressed, lit differently
 * or cropped to half of each side.
 * @returns null if there is none
 */
export function findWatermark(samples: SampleRows): FoundWatermark | null {
  const grid = lumaGrid(samples, GRID_SIDE);
  return findInWhole(grid) ?? findPattern(samples, grid);
}

function findInWhole(grid: Float32Array): FoundWatermark | null {
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
    if (id !== null)
      return { id, confidence: Math.max(0, (clearness - RANDOM_CLEARNESS) / (1 - RANDOM_CLEARNESS)) };
  }
  return null;
}
