import { addGrid, lumaGrid, type SampleRows } from '@guise/kernels/scale/luma-grid.ts';
import { BLOCK_SIDE, COEFFICIENTS, FREQUENCIES, GRID_SIDE, STEPS } from './carrier.ts';
import { gainsAt } from './gains.ts';
import { patternOf } from './pattern.ts';
import { packPayload } from './payload.ts';
import { energiesOf, gridOf, nearestPoint, projectionsOf } from './projection.ts';
import { roomOf } from './room.ts';

/** Height of the pattern's cells and stripes, levels. */
const [CELL_LEVELS, STRIPE_LEVELS] = [0.8, 0.32];
/** Largest mean square of a wanted change: 50 dB. With the pattern and rounding, 46 remain. */
const MAX_MEAN_SQUARE = 255 ** 2 / 10 ** 5;
/** Number of times that the change is corrected for its limits. */
const ROUNDS = 3;

/** Marks a picture with an id of six bytes, in place. */
export function addWatermark(samples: SampleRows, id: Uint8Array): void {
  addGrid(markOfGrid(lumaGrid(samples, GRID_SIDE), id, samples), GRID_SIDE, samples);
}

/**
 * Returns what to add to a picture's grid so that it holds an id twice: in the pattern, and by
 * spread transform dither modulation (Chen and Wornell, 2001) of low frequencies. The pattern is
 * found in a part of a picture, the other survives compression.
 * @param grid 0..255
 * @param id six bytes
 * @param size of the picture, because a grid that is enlarged to it and reduced again is blurred
 */
export function markOfGrid(
  grid: Float32Array,
  id: Uint8Array,
  { width, height }: Pick<SampleRows, 'width' | 'height'>,
): Float32Array {
  const room = roomOf(grid);
  const shares = sharesOf(room);
  const gains = gainsAt(width, height);
  const wanted = changesTo(packPayload(id), projectionsOf(grid), energiesOf(shares));
  const mark = patternOf(id, CELL_LEVELS, STRIPE_LEVELS);
  for (let round = 0; round < ROUNDS; round++) {
    const reached = projectionsOf(mark, gains);
    const more = gridOf(
      wanted.map((change, b) => change - reached[b]!),
      shares,
    );
    for (let k = 0; k < mark.length; k++) {
      const most = room[k]!;
      const changed = mark[k]! + more[k]!;
      mark[k] = changed > most ? most : changed < -most ? -most : changed;
    }
  }
  return mark;
}

/** Returns by how much to change each projection so that they mean these bits. */
function changesTo(bits: Uint8Array, projections: Float64Array, energies: Float64Array): Float64Array {
  let changes = projections;
  for (const step of STEPS) {
    changes = projections.map((projection, b) => nearestPoint(projection, bits[b]!, step) - projection);
    const energy = changes.reduce((sum, change, b) => sum + change ** 2 * energies[b]!, 0);
    if (energy / GRID_SIDE ** 2 <= MAX_MEAN_SQUARE) break;
  }
  return changes;
}

/**
 * Returns how much of its bit's change each coefficient takes: more than in proportion to its
 * block's room, because encoders flatten what is faint.
 */
function sharesOf(room: Float32Array): Float32Array {
  const shares = new Float32Array(COEFFICIENTS);
  const blocks = GRID_SIDE / BLOCK_SIDE;
  for (let block = 0; block < blocks ** 2; block++) {
    const corner = BLOCK_SIDE * (Math.floor(block / blocks) * GRID_SIDE + (block % blocks));
    let sum = 0;
    for (let y = 0; y < BLOCK_SIDE; y++)
      for (let k = corner + y * GRID_SIDE, end = k + BLOCK_SIDE; k < end; k++)
        sum += room[k]! * Math.sqrt(room[k]!);
    shares.fill(sum, block * FREQUENCIES.length, (block + 1) * FREQUENCIES.length);
  }
  return shares;
}
