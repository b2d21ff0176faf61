import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { Hand } from '../../face/geometry/hand.ts';
import { handCoverage } from '../hands/hand-coverage.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { mirrorTexel } from '../uv/texel.ts';

/** Thickness of a source's hands: a rim of finger would be carried along, a rim of skin is filled. */
const SOURCE_THICKNESS = 1.2;

/** What hands cover of a source, in planes of the mask's size, 0..1. */
export interface CoveredByHands {
  /** What is filled: skin, and features of which the other side shows the mirror image. */
  readonly filled: Float32Array;
  /** Features that neither side shows: the target's own are taken. */
  readonly lost: Float32Array;
}

/** Finds what hands cover of a source's face; null where no hand reaches it. */
export function coveredByHands(
  hands: readonly Hand[],
  landmarks: Float32Array,
  layout: AtlasLayout,
  make: PlaneMaker,
): CoveredByHands | null {
  if (hands.length === 0) return null;
  const { side, oval, features } = layout;
  const covered = handCoverage(hands, landmarks, layout, SOURCE_THICKNESS, make);
  if (!covered) return null;
  boxBlur(covered, side, side, 1, 1);
  const filled = make.floats(covered.length);
  const lost = make.floats(covered.length);
  for (let i = 0; i < covered.length; i++) {
    if (oval[i] === 0) continue;
    lost[i] = covered[i]! * features[i]! * covered[mirrorTexel(i, side)]!;
    filled[i] = covered[i]! - lost[i]!;
  }
  return { filled, lost };
}
