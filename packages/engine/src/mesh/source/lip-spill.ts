import { clamp } from '@guise/kernels/clamp.ts';
import { boxRadius } from '@guise/kernels/filter/box-blur.ts';
import { normalisedBlur } from '@guise/kernels/filter/normalised-blur.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE, perLayout } from '../uv/atlas-layout.ts';
import { filledRings } from '../uv/atlas-outline.ts';
import type { Atlas, AtlasColours } from '../uv/atlas.ts';
import { shrinkColours } from '../uv/atlas.ts';
import { distanceToLine } from '../uv/distance-to-line.ts';
import { LOWER_LIP, LOWER_LIP_EDGE } from '../uv/face-regions.ts';
import { texelsWhere } from '../uv/texel.ts';

/**
 * Distance from the lip, in sides. 0 at `from`: no colour of the lip is there; 1 at `to`: it may
 * have spilt.
 */
const SPILL_REACH: Ramp = { from: 0.1, to: 0.06 };
/** Distance from the lip's edge, in sides. 0 at `from`: the texel is lip; 1 at `to`: it is chin. */
const LIP_EDGE: Ramp = { from: 0, to: 0.012 };
/** Distance from the midline, in sides, from the mouth's corners, which stay, to the lip. */
const CORNERS_ASIDE: Ramp = { from: 0.18, to: 0.12 };
/** Share of spill above which a texel does not show the chin's own colour. */
const MAX_WITNESS_SPILL = 0.02;
/** Box radius over which the chin's own colour continues below the lip, coarse texels. */
const BRIDGE_RADIUS_TEXELS = boxRadius(COARSE_SIDE / 16);
/**
 * Redness of a lip above the chin's, as a share of luma. 0 at `from`: it is invisible; 1 at `to`:
 * it is visible.
 */
const CONTRAST: Ramp = { from: 0.06, to: 0.1 };
/**
 * That redness in multiples of the chin's own. 0 at `from`: it is invisible; 1 at `to`: it is
 * visible.
 */
const RELATIVE_CONTRAST: Ramp = { from: 0.4, to: 0.8 };
/**
 * Share of that redness. 0 at `from`: the texel is chin that varies; 1 at `to`: it is partly lip.
 */
const SPILT: Ramp = { from: 0.1, to: 0.3 };
/** Luma added before colours are divided by it, so that noise in the dark has no colour. */
const DARK_FLOOR_LUMA = 10;
/** Largest number of texels of the lip to measure. */
const MAX_SAMPLES = 400;
/** Shares of the lip's texels, sorted by redness, between which its colour is measured. */
const LIP_QUANTILES = [0.6, 0.8] as const;
/** Least luma of a lip, as a share of the chin's. */
const MIN_LIP_LUMA_SHARE = 0.55;

/**
 * Removes the lower lip's colour from the chin, in place. Soft photos have a red seam below the
 * lip, which the stretched skin of an open mouth turns into a blot: each texel is split into lip
 * and chin.
 */
export function cleanLipSpill(atlas: Atlas, layout: AtlasLayout, make: PlaneMaker): void {
  const { lip: lipTexels, texels, weights } = spillZone(layout);
  const lip = measureLip(atlas, lipTexels);
  const [chinLuma, chinBlue, chinRed] = chinAround(shrinkColours(atlas, COARSE_SIDE, make), layout, make);
  const { luma, blue, red, side } = atlas;
  const shift = Math.log2(side / COARSE_SIDE);
  for (let k = 0; k < texels.length; k++) {
    const i = texels[k]!;
    const coarse = ((Math.floor(i / side) >> shift) * COARSE_SIDE + ((i % side) >> shift)) | 0;
    const own = chinRed[coarse]!;
    const contrast = lip.red - own;
    const stands = ramp(CONTRAST, contrast) * ramp(RELATIVE_CONTRAST, contrast / Math.max(own, 0.01));
    if (stands === 0) continue;
    const floored = luma[i]! + DARK_FLOOR_LUMA;
    const part = clamp((red[i]! / floored - own) / contrast, 0, 1);
    const taken = ramp(SPILT, part) * stands * weights[k]!;
    if (taken === 0) continue;
    const lipLuma = clamp(lip.luma / chinLuma[coarse]!, MIN_LIP_LUMA_SHARE, 1);
    const lifted = luma[i]! / (1 - taken * part * (1 - lipLuma));
    const gain = (lifted + DARK_FLOOR_LUMA) / floored;
    blue[i] = gain * (blue[i]! + taken * (chinBlue[coarse]! * floored - blue[i]!));
    red[i] = gain * (red[i]! + taken * (own * floored - red[i]!));
    luma[i] = lifted;
  }
}

/** Measures luma and redness (a share of the luma) of the lip's red part, without its shine. */
function measureLip({ luma, red }: Atlas, texels: Uint32Array): { luma: number; red: number } {
  const rednessAt = (i: number): number => red[i]! / (luma[i]! + DARK_FLOOR_LUMA);
  const sorted = texels.toSorted((a, b) => rednessAt(a) - rednessAt(b));
  const [from, to] = LIP_QUANTILES.map((share) => Math.round(share * sorted.length));
  const reddish = sorted.subarray(from, to);
  const mean = (value: (i: number) => number): number =>
    reddish.reduce((sum, i) => sum + value(i), 0) / reddish.length;
  return { luma: mean((i) => luma[i]!), red: mean(rednessAt) };
}

/** Extends luma and tints of the skin around to where the lip's colour may be, coarse planes. */
function chinAround(
  { luma, blue, red }: AtlasColours,
  layout: AtlasLayout,
  make: PlaneMaker,
): readonly [luma: Float32Array, blue: Float32Array, red: Float32Array] {
  for (let i = 0; i < luma.length; i++) {
    const floored = luma[i]! + DARK_FLOOR_LUMA;
    blue[i]! /= floored;
    red[i]! /= floored;
  }
  const planes = [luma, blue, red] as const;
  normalisedBlur(
    planes,
    make.copyOf(witnesses(layout.at(COARSE_SIDE))),
    COARSE_SIDE,
    COARSE_SIDE,
    BRIDGE_RADIUS_TEXELS,
  );
  return planes;
}

/** Texels that the lip's colour may have spilt on, with a weight each, and the lip's texels. */
const spillZone = perLayout((layout: AtlasLayout) => {
  const lip = filledRings(layout.points, layout.side, [LOWER_LIP]);
  const inside = texelsWhere(lip.length, (i) => lip[i]! > 0.5);
  const stride = Math.ceil(inside.length / MAX_SAMPLES);
  const weights = spillWeights(layout, lip);
  const texels = texelsWhere(weights.length, (i) => weights[i]! > 0);
  return {
    lip: inside.filter((_, k) => k % stride === 0),
    texels,
    weights: Float32Array.from(texels, (i) => weights[i]!),
  };
});

/** Skin of a coarse layout that shows the chin's own colour. */
const witnesses = perLayout((layout: AtlasLayout): Float32Array => {
  const lip = filledRings(layout.points, layout.side, [LOWER_LIP]);
  const spill = spillWeights(layout, lip);
  return layout.opacity.map((shown, i) =>
    spill[i]! > MAX_WITNESS_SPILL ? 0 : shown * (1 - layout.features[i]!) * (1 - layout.holes[i]!),
  );
});

/** Weighs how surely each texel is chin that the lip's colour may have spilt on. */
function spillWeights({ side, points, opacity }: AtlasLayout, lip: Float32Array): Float32Array {
  const [corner] = LOWER_LIP_EDGE;
  const top = points[2 * corner + 1]!;
  return opacity.map((shown, i) => {
    const x = (i % side) + 0.5;
    const y = Math.floor(i / side) + 0.5;
    const aside = ramp(CORNERS_ASIDE, Math.abs(x / side - 0.5));
    if (shown * aside === 0 || y < top || lip[i]! > 0.5) return 0;
    const distance = distanceToLine(points, LOWER_LIP_EDGE, x, y) / side;
    return shown * aside * ramp(SPILL_REACH, distance) * ramp(LIP_EDGE, distance);
  });
}
