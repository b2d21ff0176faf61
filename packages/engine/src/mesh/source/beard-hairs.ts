import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { grainAt } from '@guise/kernels/grain.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';

/** Place below the nose that hairs grow away from, sides from the left and from the top. */
const GROWS_FROM = [0.5, 0.6] as const;
/** Length of drawn hairs, sides. */
const HAIR_SIDES = 1 / 50;
/**
 * Standard deviation of a beard's fine detail, as a share of its darkness, both as logarithms of
 * luma. Sharp photos have 0.1 to 0.2.
 */
const CONTRAST = 0.18;
/** Box radius in which fine detail is measured, sides; applied twice. */
const NEAR_SIDES = 1 / 40;

/**
 * Draws the hairs that a small or blurred photo does not show: as much of them as the beard lacks
 * of the fine detail of a sharp photo. Planes of `side` squared, logarithms of luma.
 * @param detail that the photo shows
 * @param darkness of the beard without its detail, below 0
 * @param shares how much of each texel is beard, 0..1
 * @returns what to add to the detail
 */
export function missingHairs(
  detail: Float32Array,
  darkness: Float32Array,
  shares: Float32Array,
  side: number,
  make: PlaneMaker,
): Float32Array {
  const seen = make.copyOf(detail);
  boxBlur(seen, side, side, 1, 1);
  for (let i = 0; i < seen.length; i++) seen[i] = (detail[i]! - seen[i]!) ** 2;
  boxBlur(seen, side, side, Math.round(NEAR_SIDES * side), 2);
  const hairs = make.floats(side * side);
  for (let i = 0; i < hairs.length; i++) {
    if (shares[i] === 0) continue;
    const missing = (CONTRAST * darkness[i]!) ** 2 - seen[i]!;
    if (missing > 0) hairs[i] = Math.sqrt(missing) * hairAt(i, side);
  }
  return hairs;
}

/**
 * Returns noise of mean 0 and standard deviation 1 that is alike along the way in which a beard
 * grows: the mean of the noise of the next texels on this way (line integral convolution, Cabral
 * and Leedom 1993).
 */
function hairAt(texel: number, side: number): number {
  const length = Math.max(3, Math.round(HAIR_SIDES * side));
  let [x, y] = [(texel % side) + 0.5, Math.floor(texel / side) + 0.5];
  const [aside, below] = [x - GROWS_FROM[0] * side, y - GROWS_FROM[1] * side];
  const distance = Math.max(1, Math.hypot(aside, below));
  let sum = 0;
  for (let step = 0; step < length; step++) {
    sum += grainAt(Math.floor(x), Math.floor(y));
    x += aside / distance;
    y += below / distance;
  }
  return sum / Math.sqrt(length);
}
