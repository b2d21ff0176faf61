import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { Hand } from '../../face/geometry/hand.ts';
import { handCoverage } from '../hands/hand-coverage.ts';
import { findMask } from '../skin/face-mask.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';

/** Share of the face over which hands cover it; a touched chin or temple has 0.03 at most. */
const COVERED_SHARE = 0.045;
/** Thickness of fingers, in multiples of a hand's own. */
const HAND_THICKNESS = 1;
/** Facing below which a texel says nothing. */
const MIN_FACING = 0.3;

/**
 * Tells whether hands or a mask lie before much of a face.
 * @param small coarse atlas of the face
 */
export function isFaceCovered(
  small: Atlas,
  layout: AtlasLayout,
  landmarks: Float32Array,
  hands: readonly Hand[],
  make: PlaneMaker,
): boolean {
  if (findMask(small, layout, make) !== null) return true;
  const covered = handCoverage(hands, landmarks, layout, HAND_THICKNESS, make);
  return covered !== null && coveredShare(covered, small, layout) > COVERED_SHARE;
}

function coveredShare(covered: Float32Array, { facing }: Atlas, { oval }: AtlasLayout): number {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < covered.length; i++) {
    if (oval[i] === 0 || facing[i]! < MIN_FACING) continue;
    sum += covered[i]!;
    count += 1;
  }
  return count > 0 ? sum / count : 0;
}
