import { clamp } from '@guise/kernels/clamp.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { normalisedBlur } from '@guise/kernels/filter/normalised-blur.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { perLayout } from '../uv/atlas-layout.ts';
import { softened } from './glasses-zones.ts';

/** Luma of lids against that of the skin around them: they lie in the socket's shade. */
const USUAL_LID_LUMA = 0.88;
/** Largest factor by which lids are brightened. */
const MAX_GAIN = 2.2;
/** Share of it that reaches the eye itself, which lies in the same shadow. */
const EYE_SHARE = 0.5;
/** Blurred share of the eye over which it begins. */
const EYE: Ramp = { from: 0.1, to: 0.7 };
/** Reach of the lashes beyond the eye, in sides. */
const LASHES_REACH_SIDES = 1 / 80;
/** Gain of their blurred share: lashes are no skin to be measured. */
const LASHES_GAIN = 5;
/** Width of the lids' soft edges, in sides. */
const EDGE_SIDES = 1 / 90;
/** Radius within which a lid's luma is measured, in sides. */
const MEAN_RADIUS_SIDES = 1 / 32;

/** Skin of the lids, which is measured, and the share of the correction that a texel takes. */
const lidShares = perLayout(({ side, lids, softEyes }: AtlasLayout) => {
  const eyes = softened(softEyes, side, LASHES_REACH_SIDES);
  return {
    measured: lids.map((lid, i) => lid * Math.max(0, 1 - LASHES_GAIN * eyes[i]!)),
    corrected: softened(lids, side, EDGE_SIDES).map(
      (lid, i) => lid * (1 - (1 - EYE_SHARE) * ramp(EYE, eyes[i]!)),
    ),
  };
});

/**
 * Measures by which factor (1 or more) lids and eyes that lie in the shadow of `glasses` or behind
 * tinted lenses are too dark for the `skin` around them, which is shown without glasses.
 */
export function lidGain(
  { side, luma }: Atlas,
  layout: AtlasLayout,
  glasses: Float32Array,
  skin: Float32Array,
  make: PlaneMaker,
): Float32Array {
  const { measured, corrected } = lidShares(layout);
  const weight = make.copyOf(measured);
  for (let i = 0; i < weight.length; i++) weight[i]! *= Math.max(0, 1 - 2 * glasses[i]!);
  const lids = make.copyOf(luma);
  normalisedBlur([lids], weight, side, side, Math.round(MEAN_RADIUS_SIDES * side));
  const gain = make.uninitialised(luma.length);
  for (let i = 0; i < gain.length; i++) {
    const wanted = (USUAL_LID_LUMA * skin[i]!) / Math.max(1, lids[i]!);
    gain[i] = 1 + corrected[i]! * (clamp(wanted, 1, MAX_GAIN) - 1);
  }
  return gain;
}
