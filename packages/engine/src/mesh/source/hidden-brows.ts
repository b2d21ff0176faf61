import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE, perLayout } from '../uv/atlas-layout.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import { notSkin } from '../skin/not-skin.ts';
import { darkness } from './skin-darkness.ts';

/** Height above a brow in which skin parts it from the hair, coarse texels. */
const ABOVE_TEXELS = 7;
/** Depth of that search into the brow's own area: a brow seldom fills all of it. */
const INTO_BROW_TEXELS = 3;
/** Relative darkness from which a texel is no skin, as brows and fringes are. */
const MIN_HAIR_DARKNESS = 0.12;
/** Evidence against skin from which a texel is hair: a low forehead in the shade has none. */
const MIN_HAIR_EVIDENCE = 0.1;
/** Share of a brow that merges with hair above it from which nobody can tell the two apart. */
const MIN_HIDDEN_SHARE = 0.5;

/** Uppermost texels of either brow, one for each column. */
const browTops = perLayout(({ features, browArea }: AtlasLayout): readonly number[][] => {
  const half = COARSE_SIDE / 2;
  return [0, half].map((from) =>
    Array.from({ length: half }, (_, x) =>
      Array.from({ length: COARSE_SIDE }, (__, y) => y * COARSE_SIDE + from + x).find(
        (i) => features[i]! >= 0.5 && browArea[i]! > 0.5,
      ),
    ).filter((top) => top !== undefined),
  );
});

/**
 * Tells whether hair hides both brows: along most of either, no strip of skin parts the brow from
 * the hair above. One hidden brow is its neighbour's mirror image, see `mirrorFeatures`.
 * @param small coarse atlas without glasses, not filled yet
 */
export function areBrowsHidden(small: Atlas, layout: AtlasLayout, model: SkinModel): boolean {
  const { luma, blue, red } = small;
  const isHair = (i: number): boolean =>
    darkness(small, model, i) >= MIN_HAIR_DARKNESS &&
    notSkin(model, model.luma[i]!, luma[i]!, blue[i]!, red[i]!, 1) >= MIN_HAIR_EVIDENCE;
  const isMerged = (top: number): boolean => {
    for (let k = -INTO_BROW_TEXELS; k <= ABOVE_TEXELS; k++) if (!isHair(top - k * COARSE_SIDE)) return false;
    return true;
  };
  return browTops(layout).every((tops) => tops.filter(isMerged).length >= MIN_HIDDEN_SHARE * tops.length);
}
