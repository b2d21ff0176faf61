import { areaAxis, type Axis, cubicAxis } from '@guise/kernels/scale/axis.ts';
import { BLOCK_SIDE, FREQUENCIES, GRID_SIDE } from './carrier.ts';
import { WAVE_COUNT, WAVES } from './projection.ts';

/**
 * Returns how much is left of each wave of `FREQUENCIES` after a grid was enlarged to the size of a
 * picture and reduced again.
 */
export function gainsAt(width: number, height: number): Float64Array {
  const across = gainsAlong(width);
  const down = gainsAlong(height);
  return Float64Array.from(FREQUENCIES, ([u, v]) => across[u]! * down[v]!);
}

function gainsAlong(length: number): Float64Array {
  const enlarge = cubicAxis(length, GRID_SIDE);
  const reduce = areaAxis(length, GRID_SIDE);
  const gains = new Float64Array(WAVE_COUNT);
  for (let frequency = 0; frequency < WAVE_COUNT; frequency++) {
    const wave = WAVES.waves.subarray(frequency * BLOCK_SIDE, (frequency + 1) * BLOCK_SIDE);
    // Every other block has the wave. What runs out into the blocks between them is lost.
    const line = new Float32Array(GRID_SIDE);
    for (let k = BLOCK_SIDE; k < GRID_SIDE; k += 2 * BLOCK_SIDE) line.set(wave, k);
    const seen = resampled(resampled(line, enlarge), reduce);
    let sum = 0;
    for (let k = 0; k < GRID_SIDE; k++) sum += line[k]! * seen[k]!;
    gains[frequency] = (2 * BLOCK_SIDE * sum) / GRID_SIDE;
  }
  return gains;
}

function resampled(line: Float32Array, { taps, from, weights }: Axis): Float32Array {
  const made = new Float32Array(from.length);
  for (let k = 0, weight = 0; k < made.length; k++) {
    let sum = 0;
    for (let at = from[k]!, end = at + taps; at < end; at++, weight++) sum += weights[weight]! * line[at]!;
    made[k] = sum;
  }
  return made;
}
