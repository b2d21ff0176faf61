import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { perLayout } from '../uv/atlas-layout.ts';
import { notSkin } from '../skin/not-skin.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import { midlineDistance } from '../uv/texel.ts';

/** Where the forehead ends above the brows, in sides of the atlas. */
const FOREHEAD_END = 0.25;
/** Distance from the midline, in sides, where the temples begin: hair lies there on most heads. */
const TEMPLE_ASIDE = 0.28;
/** Facing below which a texel says nothing. */
const MIN_FACING = 0.3;

/** Evidence from which a texel may be no skin. */
const ODD_EVIDENCE = 0.2;
/** Share of such texels from which a forehead is looked at closely. */
const ODD_SHARE = 0.2;

const foreheadOf = perLayout(({ side, oval, features }: AtlasLayout): Uint32Array =>
  Uint32Array.from(oval.keys()).filter(
    (i) =>
      oval[i]! > 0 &&
      features[i]! < 0.5 &&
      (Math.floor(i / side) + 0.5) / side < FOREHEAD_END &&
      midlineDistance(i, side) < TEMPLE_ASIDE,
  ),
);

/**
 * Tells whether much of the forehead looks like something else than skin, or not at all: a quick
 * look that spares most faces the search for a foreground.
 * @param small coarse atlas of the face
 */
export function isForeheadOdd(small: Atlas, model: SkinModel, layout: AtlasLayout): boolean {
  const { luma, blue, red, facing } = small;
  let odd = 0;
  let count = 0;
  for (const i of foreheadOf(layout)) {
    if (facing[i]! < MIN_FACING) continue;
    count += 1;
    if (notSkin(model, model.luma[i]!, luma[i]!, blue[i]!, red[i]!, 1) > ODD_EVIDENCE) odd += 1;
  }
  return odd > ODD_SHARE * count;
}

/**
 * Measures the share of the forehead, without the temples, that is behind hair or a hat.
 * @param small coarse atlas of the face
 * @param foreground coverage of each of its texels, see `findForeground`
 */
export function coveredForehead(small: Atlas, foreground: Float32Array, layout: AtlasLayout): number {
  let covered = 0;
  let count = 0;
  for (const i of foreheadOf(layout)) {
    if (small.facing[i]! < MIN_FACING) continue;
    covered += foreground[i]!;
    count += 1;
  }
  return count > 0 ? covered / count : 0;
}
