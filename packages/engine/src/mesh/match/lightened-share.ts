import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { Light } from '../skin/light.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { beardlessCore, perLayout } from '../uv/atlas-layout.ts';
import { meanAt, texelsWhere } from '../uv/texel.ts';

/**
 * Gain from one light to the other. 0 at `from`: the face counts as equally light; 1 at `to`: as
 * lightened.
 */
const LIGHTENING: Ramp = { from: 1.3, to: 1.65 };

/** Texels of a coarse layout in which the lightness of a face is measured. */
const coreTexels = perLayout((layout: AtlasLayout): Uint32Array =>
  texelsWhere(layout.oval.length, (i) => beardlessCore(layout)[i]! > 0.5),
);

/** A source in the light of its photo, see `SourceFace`. */
interface LitSource {
  readonly light: Light;
  /** Share of the skin's visible light that is reflection, 0..1. */
  readonly gloss: number;
}

/**
 * Measures how much of a source's shades and shine another face must not get, 0..1. The value is
 * high for a glossy face, and for a face that becomes lighter in the light `to`, whether its skin
 * or its photo is dark.
 */
export function lightenedShare(
  { light: from, gloss }: LitSource,
  to: Light,
  coarseLayout: AtlasLayout,
): number {
  return Math.max(gloss, ramp(LIGHTENING, lightGain(from, to, coarseLayout)));
}

/** Returns the factor by which a face gets brighter from one light to the other. */
export function lightGain(from: Light, to: Light, coarseLayout: AtlasLayout): number {
  return lightness(to, coarseLayout) / Math.max(1, lightness(from, coarseLayout));
}

/** Returns the mean luma of a face's cheeks and nose in its light. */
export function lightness({ luma }: Light, coarseLayout: AtlasLayout): number {
  return meanAt(luma, coreTexels(coarseLayout));
}
