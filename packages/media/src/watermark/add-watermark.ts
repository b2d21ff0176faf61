import { addGrid, lumaGrid, type SampleRows } from '@guise/kernels/scale/luma-grid.ts';
import { blockSums, type RoomLimits, roomOf } from '@guise/kernels/filter/room.ts';
import { COEFFICIENTS, FREQUENCIES, GRID_SIDE, STEPS } from './carrier.ts';
import { gainsAt } from './gains.ts';
import { patternOf } from './pattern.ts';
import { packPayload } from './payload.ts';
import { addProjections, energiesOf, nearestPoint, projectionsOf, sharesOf } from './projection.ts';

/** Height of the pattern's cells and stripes, levels. */
const [CELL_LEVELS, STRIPE_LEVELS] = [0.8, 0.31];
/**
 * Mean square of the wanted changes, square levels. With the pattern and rounding, 46 dB remain
 * (measured).
 */
const MEAN_SQUARE = 0.85;
/**
 * Shares of the way to the nearest point that a change may go. The step falls until there is energy
 * for the first. Where a mark is weaker than what compression changes, a part of the way to points
 * that lie farther apart is better than the whole way (distortion compensation, Chen and Wornell).
 */
const [MIN_WAY, MAX_WAY] = [0.9, 1];
/**
 * Changes of samples of the grid that nobody sees, levels. Enlarging may add a quarter to those of
 * flat parts, and two are not seen.
 */
const ROOM: RoomLimits = { flat: 1.7, detail: 4, perDeviation: 0.2, reach: 2 };
/** Number of times that what is missing is added, by this factor: the limits take a sixth of it. */
const [ROUNDS, EXCESS] = [2, 1.2];

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
  const room = roomOf(grid, GRID_SIDE, ROOM);
  const shares = sharesOf(weightsOf(room));
  const gains = gainsAt(width, height);
  const wanted = changesTo(packPayload(id), projectionsOf(grid), energiesOf(shares));
  const mark = patternOf(id, CELL_LEVELS, STRIPE_LEVELS);
  for (let round = 0; round < ROUNDS; round++) {
    const reached = projectionsOf(mark, gains);
    const missing = wanted.map((change, b) => EXCESS * (change - reached[b]!));
    addProjections(mark, room, missing, shares);
  }
  return mark;
}

/** Returns by how much to change each projection so that they mean these bits. */
function changesTo(bits: Uint8Array, projections: Float64Array, energies: Float64Array): Float64Array {
  let changes = projections;
  let way = 0;
  for (const step of STEPS) {
    changes = projections.map((projection, b) => nearestPoint(projection, bits[b]!, step) - projection);
    const energy = changes.reduce((sum, change, b) => sum + change ** 2 * energies[b]!, 0);
    way = Math.sqrt((MEAN_SQUARE * GRID_SIDE ** 2) / energy);
    if (way >= MIN_WAY) break;
  }
  return changes.map((change) => Math.min(MAX_WAY, way) * change);
}

/**
 * Returns by which weight each coefficient takes part in its bit's change: the root of its block's
 * room. Encoders flatten what is faint, but they also change blocks of much detail most.
 */
function weightsOf(room: Float32Array): Float32Array {
  const weights = new Float32Array(COEFFICIENTS);
  for (const [block, sum] of blockSums(room, GRID_SIDE).entries())
    weights.fill(Math.sqrt(sum), block * FREQUENCIES.length, (block + 1) * FREQUENCIES.length);
  return weights;
}
