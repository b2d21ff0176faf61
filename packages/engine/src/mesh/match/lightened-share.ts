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

/** A source as its photo lights it, see `SourceFace`. */
interface LitSource {
  readonly light: Light;
  /** How much of what is seen of its skin is reflection, 0..1. */
  readonly gloss: number;
}

/**
 * Says how much of a source's shades and shine does not belong on another face, 0..1: of one that
 * becomes lighter in the light `to`, by darker skin or by less light, and of one that is glossy.
 */
export function lightenedShare(
  { light: from, gloss }: LitSource,
  to: Light,
  coarseLayout: AtlasLayout,
): number {
  let before = 0;
  let after = 0;
  for (const i of coreTexels(coarseLayout)) {
    before += from.luma[i]!;
    after += to.luma[i]!;
  }
  return Math.max(gloss, ramp(LIGHTENING, after / (before + 1)));
}
