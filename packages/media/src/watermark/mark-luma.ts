import { GRID_SIDE, MARK_BITS } from './carrier.ts';
import { packPayload } from './payload.ts';
import { gridOf, nearestPoint, projectionsOf } from './projection.ts';
import { fromGrid, type Plane, seenAgain, toGrid } from './resample.ts';

/** Largest change of flat parts, levels. */
const FLAT_LEVELS = 2;
/** Largest further change of parts with detail, levels. */
const DETAIL_LEVELS = 4;
/** Change per level of standard deviation around a sample. */
const LEVELS_PER_DEVIATION = 0.2;
/** Distance of the samples from which the deviation is measured, in samples of the grid. */
const DEVIATION_REACH = 4;
/** Number of times that the change is corrected for the limits and for resampling. */
const ROUNDS = 4;

/**
 * Returns what to add to each sample of a picture's luma, 0..255, so that it holds an id: spread
 * transform dither modulation (Chen and Wornell, 2001) of low frequencies.
 * @param id six bytes
 */
export function markOfLuma(luma: Plane, id: Uint8Array): Float32Array {
  const { width, height } = luma;
  const bits = packPayload(id);
  const grid = toGrid(luma);
  const room = roomOf(grid);
  const before = projectionsOf(grid);
  const wanted = before.map((projection, b) => nearestPoint(projection, bits[b]!) - projection);
  const seen = seenAgain(width, height);
  const mark = new Float32Array(GRID_SIDE ** 2);
  const missing = wanted.slice();
  for (let round = 0; round < ROUNDS; round++) {
    const more = gridOf(missing, room);
    for (let k = 0; k < mark.length; k++)
      mark[k] = Math.max(-room[k]!, Math.min(room[k]!, mark[k]! + more[k]!));
    const reached = projectionsOf(seen(mark));
    for (let b = 0; b < MARK_BITS; b++) missing[b] = wanted[b]! - reached[b]!;
  }
  return fromGrid(mark, width, height);
}

/** Returns the largest change of each sample that nobody sees, in levels. */
function roomOf(grid: Float32Array): Float32Array {
  const room = new Float32Array(GRID_SIDE ** 2);
  for (let y = 0; y < GRID_SIDE; y++) {
    for (let x = 0; x < GRID_SIDE; x++) {
      let count = 0;
      let sum = 0;
      let squares = 0;
      for (let dy = -DEVIATION_REACH; dy <= DEVIATION_REACH; dy += 2) {
        for (let dx = -DEVIATION_REACH; dx <= DEVIATION_REACH; dx += 2) {
          const value = grid[inside(y + dy) * GRID_SIDE + inside(x + dx)]!;
          count += 1;
          sum += value;
          squares += value * value;
        }
      }
      const deviation = Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
      room[y * GRID_SIDE + x] = FLAT_LEVELS + Math.min(DETAIL_LEVELS, LEVELS_PER_DEVIATION * deviation);
    }
  }
  return room;
}

/** Returns the nearest row or column that is in the grid. */
function inside(at: number): number {
  return Math.max(0, Math.min(GRID_SIDE - 1, at));
}
