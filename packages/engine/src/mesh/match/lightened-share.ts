import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { Light } from '../skin/light.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { beardlessCore, perLayout } from '../uv/atlas-layout.ts';

/** Gain from one light to the other over which a face is lightened. */
const LIGHTENING: Ramp = { from: 1.3, to: 1.65 };

/** Texels of a coarse layout that say how light a face is. */
const coreTexels = perLayout((layout: AtlasLayout): Uint32Array =>
  Uint32Array.from(layout.oval.keys()).filter((i) => beardlessCore(layout)[i]! > 0.5),
);

/**
 * Says how much lighter a face becomes, 0..1, in the light `to` than it was in `from`: by darker
 * skin, or by less light. Both leave more shade on a face than the lighter one has.
 */
export function lightenedShare(from: Light, to: Light, coarseLayout: AtlasLayout): number {
  let before = 0;
  let after = 0;
  for (const i of coreTexels(coarseLayout)) {
    before += from.luma[i]!;
    after += to.luma[i]!;
  }
  return ramp(LIGHTENING, after / (before + 1));
}
