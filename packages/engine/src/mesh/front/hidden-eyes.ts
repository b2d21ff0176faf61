import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { type Front, frontAt } from './front.ts';

/** Share of both eyes to replace from which they count as guessed. */
const HIDDEN_SHARE = 0.75;

/** Returns whether dark lenses, or anything else, hide both eyes. @param layout coarse */
export function areEyesHidden(front: Front, { softEyes }: RegionMasks, make: PlaneMaker): boolean {
  const needed = frontAt(front.needed, COARSE_SIDE, make);
  let sum = 0;
  let area = 0;
  for (let i = 0; i < needed.length; i++) {
    sum += softEyes[i]! * needed[i]!;
    area += softEyes[i]!;
  }
  return sum > HIDDEN_SHARE * area;
}
