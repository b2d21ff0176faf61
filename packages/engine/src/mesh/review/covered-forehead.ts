import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { perLayout } from '../uv/atlas-layout.ts';
import { midlineDistance } from '../uv/texel.ts';

/** Where the forehead ends above the brows, in sides of the atlas. */
const FOREHEAD_END = 0.25;
/** Distance from the midline, in sides, where the temples begin: hair lies there on most heads. */
const TEMPLE_ASIDE = 0.28;
/** Facing below which a texel says nothing. */
const MIN_FACING = 0.3;

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
