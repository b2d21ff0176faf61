import { areaAxis } from '@guise/kernels/scale/axis.ts';
import { lumaAlong, type SampleRows } from '@guise/kernels/scale/luma-grid.ts';
import { GRID_SIDE } from './carrier.ts';
import { locateCells, wholeCells } from './locate-cells.ts';
import { readPayload } from './payload.ts';
import { readPattern } from './read-pattern.ts';

/** A pattern that was found. */
export interface FoundPattern {
  readonly id: Uint8Array;
  /** How many standard deviations its bits lie above chance, on average. */
  readonly deviations: number;
}

/**
 * Finds the pattern in a picture, of which anything may have been cut off that leaves half of each
 * side, and which may have been made smaller.
 */
export function findPattern(samples: SampleRows): FoundPattern | null {
  const grid = lumaAlong(samples, areaAxis(samples.width, GRID_SIDE), areaAxis(samples.height, GRID_SIDE));
  const found = foundIn(readPattern(grid, { x: 0, y: 0, width: GRID_SIDE, height: GRID_SIDE }));
  if (found !== null) return found;
  const { across, down } = locateCells(samples);
  const columns = wholeCells(across, samples.width);
  const rows = wholeCells(down, samples.height);
  const cells = { x: columns.first, y: rows.first, width: columns.count, height: rows.count };
  return foundIn(readPattern(lumaAlong(samples, columns.axis, rows.axis), cells));
}

/** Returns what deviations from chance mean. */
export function foundIn(deviations: Float64Array): FoundPattern | null {
  const id = readPayload(deviations);
  if (id === null) return null;
  return { id, deviations: deviations.reduce((sum, value) => sum + Math.abs(value), 0) / deviations.length };
}
