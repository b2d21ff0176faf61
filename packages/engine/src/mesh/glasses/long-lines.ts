import { averageAlong } from '@guise/kernels/filter/average-along.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { LUMA_NOISE_FLOOR } from '../uv/atlas.ts';

/** Directions in which lines are looked for. */
const DIRECTION_COUNT = 6;
/** Half the length of the stretch that is averaged, sides: rims are long, pores and hairs short. */
const HALF_LENGTH_SIDES = 1 / 40;
/** Distance from a line to the skin on both its sides, sides. */
const BESIDE_SIDES = 1 / 80;

/**
 * Measures how much a stretch of line through each texel differs from the skin on both its sides,
 * as a share of their luma, darker or brighter, whichever direction shows it most. Averaged along
 * its length, a clear rim of little contrast stands out of the skin's own unrest.
 * @param zone where it is measured; elsewhere 0
 */
export function longLines(
  luma: Float32Array,
  zone: Float32Array,
  side: number,
  make: PlaneMaker,
): Float32Array {
  const length = Math.max(2, Math.round(HALF_LENGTH_SIDES * side));
  const beside = Math.max(2, BESIDE_SIDES * side);
  const margin = (length + Math.ceil(beside)) * (side + 1);
  const lines = make.floats(luma.length);
  const mean = make.uninitialised(luma.length);
  for (let direction = 0; direction < DIRECTION_COUNT; direction++) {
    const angle = (Math.PI * direction) / DIRECTION_COUNT;
    const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
    const offset = (x: number, y: number): number => Math.round(y) * side + Math.round(x);
    const along = Int32Array.from({ length: 2 * length + 1 }, (_, k) =>
      offset((k - length) * dx, (k - length) * dy),
    );
    averageAlong(luma, along, mean);
    const across = offset(-beside * dy, beside * dx);
    for (let k = margin; k < luma.length - margin; k++) {
      if (zone[k] === 0) continue;
      const own = mean[k]!;
      const one = mean[k + across]!;
      const other = mean[k - across]!;
      const low = one < other ? one : other;
      const high = one < other ? other : one;
      const strength = (own < low ? low - own : own > high ? own - high : 0) / (high + LUMA_NOISE_FLOOR);
      if (strength > lines[k]!) lines[k] = strength;
    }
  }
  return lines;
}
