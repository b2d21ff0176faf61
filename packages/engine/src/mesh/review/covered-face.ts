import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { type Front, frontAt } from '../front/front.ts';
import type { Atlas } from '../uv/atlas.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { RegionMasks } from '../uv/region-masks.ts';

/** Share of the face from which hands, a mask or another thing cover it. */
const COVERED_SHARE = 0.12;
/** Share of a texel from which it is covered. */
const MIN_COVERAGE = 0.6;
/** Facing below which a texel is ignored. */
const MIN_FACING = 0.3;

/**
 * Returns whether hands, a mask or another thing cover much of a face.
 * @param small coarse atlas of the face
 */
export function isFaceCovered(
  { facing }: Atlas,
  { oval }: RegionMasks,
  front: Front,
  make: PlaneMaker,
): boolean {
  const covered = frontAt(front.shares.thing, COARSE_SIDE, make);
  let sum = 0;
  let count = 0;
  for (let i = 0; i < covered.length; i++) {
    if (oval[i] === 0 || facing[i]! < MIN_FACING) continue;
    if (covered[i]! > MIN_COVERAGE) sum += 1;
    count += 1;
  }
  return count > 0 && sum / count > COVERED_SHARE;
}
