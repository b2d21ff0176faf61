import { lumaAlong, type SampleRows } from '@guise/kernels/scale/luma-grid.ts';
import type { FoundWatermark } from './found-watermark.ts';
import { locateCells, wholeCells } from './locate-cells.ts';
import { idOf, readPayload } from './payload.ts';
import { readPattern } from './read-pattern.ts';

/** Mean deviation of bits that are random, and of bits that are as clear as in a new clip. */
const [RANDOM_DEVIATIONS, CLEAR_DEVIATIONS] = [0.8, 5.3];

/**
 * Finds the pattern in a picture, of which anything may have been cut off that leaves half of each
 * side, and which may have been made smaller.
 * @param deviations of the bits, if the picture is whole
 */
export function findPattern(samples: SampleRows, deviations: Float64Array): FoundWatermark | null {
  const found = foundIn(deviations);
  if (found !== null) return found;
  const { across, down } = locateCells(samples);
  const columns = wholeCells(across, samples.width);
  const rows = wholeCells(down, samples.height);
  const cells = { x: columns.first, y: rows.first, width: columns.count, height: rows.count };
  return foundIn(readPattern(lumaAlong(samples, columns.axis, rows.axis), cells));
}

/** Returns what deviations from chance mean. */
export function foundIn(deviations: Float64Array): FoundWatermark | null {
  const id = idOf(readPayload(deviations));
  if (id === null) return null;
  const mean = deviations.reduce((sum, value) => sum + Math.abs(value), 0) / deviations.length;
  const above = (mean - RANDOM_DEVIATIONS) / (CLEAR_DEVIATIONS - RANDOM_DEVIATIONS);
  return { id, confidence: Math.max(0, Math.min(1, above)) };
}
