import type { SkinModel } from '../skin/skin-model.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import type { Atlas } from '../uv/atlas.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { midlineDistance } from '../uv/texel.ts';

/** Distance from the midline up to which a brow's hair is dense, in sides: its tail thins out. */
const DENSE_ASIDE_SIDES = 0.15;
/**
 * Mean luma of brows, as a share of the bare skin's, below which a rim lies over them: dark hair is
 * seldom below a half (measured: wearers' brows 0.38 to 0.92, under rims 0.19 to 0.29).
 */
const RIM_LUMA_SHARE = 0.35;

/**
 * Tells whether dark rims lie over the brows: what hair is then, and what rim, nobody can tell, and
 * drawn as hair both are black bars.
 * @param small coarse atlas with the glasses on @param model of its bare skin
 */
export function areBrowsBehindRims({ luma }: Atlas, { browsSoft }: RegionMasks, model: SkinModel): boolean {
  let seen = 0;
  let expected = 0;
  for (let i = 0; i < luma.length; i++) {
    if (browsSoft[i] === 0 || midlineDistance(i, COARSE_SIDE) > DENSE_ASIDE_SIDES) continue;
    seen += browsSoft[i]! * luma[i]!;
    expected += browsSoft[i]! * model.luma[i]!;
  }
  return seen < RIM_LUMA_SHARE * expected;
}
