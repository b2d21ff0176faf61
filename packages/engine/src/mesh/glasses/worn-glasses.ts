import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { Atlas } from '../uv/atlas.ts';
import { shrinkAtlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { glassesOf } from './glasses.ts';

/** Answer to whether a face wears glasses. */
export interface WornGlasses {
  /** Natural logarithm of the odds that glasses are worn: 0 is undecided, 3 is twenty to one. */
  readonly logOdds: number;
  /** The one decision: where it is false, nothing may be treated as part of glasses. */
  readonly isWorn: boolean;
}

/** Decides whether a face wears glasses, of any kind. `atlas` is of the layout's side. */
export function wornGlasses(
  atlas: Atlas,
  _layout: AtlasLayout,
  make: PlaneMaker = ordinaryPlanes,
): WornGlasses {
  const sure = glassesOf(shrinkAtlas(atlas, COARSE_SIDE, make));
  return decideWorn(8 * (sure - 0.5));
}

/** Turns log-odds into a decision. */
export function decideWorn(logOdds: number): WornGlasses {
  return { logOdds, isWorn: logOdds > 0 };
}
