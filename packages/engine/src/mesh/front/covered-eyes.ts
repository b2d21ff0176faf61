import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import { type Front, frontAt } from './front.ts';

/** Share of both eyes to replace from which they count as guessed. */
const HIDDEN_SHARE = 0.75;

/** Returns whether dark lenses, or anything else, hide both eyes. @param layout coarse */
export function areEyesHidden(front: Front, layout: RegionMasks, make: PlaneMaker): boolean {
  return meanOfEyes(front.needed, layout, make) > HIDDEN_SHARE;
}

/** Returns the share of both eyes that is behind lenses, 0..1. @param layout coarse */
export function shareBehindLenses(front: Front, layout: RegionMasks, make: PlaneMaker): number {
  return meanOfEyes(front.shares.lens, layout, make);
}

function meanOfEyes(plane: Float32Array, { softEyes }: RegionMasks, make: PlaneMaker): number {
  const coarse = frontAt(plane, COARSE_SIDE, make);
  let sum = 0;
  let area = 0;
  for (let i = 0; i < coarse.length; i++) {
    sum += softEyes[i]! * coarse[i]!;
    area += softEyes[i]!;
  }
  return sum / area;
}
