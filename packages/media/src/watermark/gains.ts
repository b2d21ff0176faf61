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
    const line = Float32Array.from(
      { length: GRID_SIDE },
      (_, k) => (Math.floor(k / BLOCK_SIDE) % 2) * wave[k % BLOCK_SIDE]!,
    );
    const seen = resampled(resampled(line, enlarge), reduce);
    const sum = line.reduce((total, value, k) => total + value * seen[k]!, 0);
    gains[frequency] = (2 * BLOCK_SIDE * sum) / GRID_SIDE;
  }
  return gains;
}

function resampled(line: Float32Array, { taps, from, weights }: Axis): Float32Array {
  const made = new Float32Array(from.length);
  for (let k = 0; k < made.length; k++) {
    let sum = 0;
    for (let tap = 0; tap < taps; tap++) sum += weights[k * taps + tap]! * line[from[k]! + tap]!;
    made[k] = sum;
  }
  return made;
}
