import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { perLayout } from '../uv/atlas-layout.ts';
import { midlineDistance } from '../uv/texel.ts';

/** Distances from the midline, in sides, between which a brow's hair is seen above most frames. */
const SEEN_HAIR = { inner: 0.09, outer: 0.15 };
/** Distance from the midline, in sides, over which a brow thins out to its end. */
const TAIL_ASIDE: Ramp = { from: 0.225, to: 0.16 };
/** How dense a tail is against the brow. */
const TAIL_DENSITY = 0.75;

/** Mean colour of one brow. */
export interface BrowColour {
  readonly luma: number;
  readonly blue: number;
  readonly red: number;
}

/** How much of each texel a brow's tail covers, 0..1: a brow has one, whatever frame hides it. */
export const browTails = perLayout(({ side, browsSoft }: AtlasLayout): Float32Array =>
  browsSoft.map((brow, i) => TAIL_DENSITY * brow * ramp(TAIL_ASIDE, midlineDistance(i, side))),
);

/** Measures the colours of the hair of both brows, where frames seldom cross it. */
export function browColours({ side, luma, blue, red }: Atlas, { brows }: AtlasLayout): readonly BrowColour[] {
  return [0, 1].map((half) => {
    const sum = { luma: 0, blue: 0, red: 0, count: 1e-6 };
    for (let i = 0; i < brows.length; i++) {
      if (brows[i] === 0 || (i % side < side / 2 ? 0 : 1) !== half) continue;
      const aside = midlineDistance(i, side);
      if (aside < SEEN_HAIR.inner || aside > SEEN_HAIR.outer) continue;
      sum.luma += luma[i]!;
      sum.blue += blue[i]!;
      sum.red += red[i]!;
      sum.count += 1;
    }
    return { luma: sum.luma / sum.count, blue: sum.blue / sum.count, red: sum.red / sum.count };
  });
}
