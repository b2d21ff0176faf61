import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { mixBands, splitBands } from '@guise/kernels/filter/bands.ts';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { perLayout, residentCopy, rowsOfOval } from '../uv/atlas-layout.ts';
import { robustStd } from '../skin/robust-std.ts';
import { texelsWhere } from '../uv/texel.ts';

export interface Texture {
  /** Sharpness of the eyes: size of the finest band over the size of the next band. */
  readonly sharpness: number;
  /** Blur of the eyes by lens and enlargement together, as a variance in texels squared. */
  readonly blur: number;
  /** Grain, noise and pores: standard deviation of the finest band on bare skin, levels of luma. */
  readonly grain: number;
}

/** Parts of a luma: `luma = fine + medium + broad + rest`. */
export interface Bands {
  readonly fine: Float32Array;
  readonly medium: Float32Array;
  readonly broad: Float32Array;
}

/** Box radii of the three blurs. Each blur is applied to the result of the previous blur. */
const BLUR_RADII = [1, 2, 4] as const;
/** Variances of the two blurs whose difference is the finest band, texels squared. */
const FINE_BAND = [0, 2 / 3] as const;
/** Variances of the two blurs whose difference is the medium band, texels squared. */
const MEDIUM_BAND = [2 / 3, 8 / 3] as const;
/** Variances of the two blurs whose difference is the broad band, texels squared. */
const BROAD_BAND = [8 / 3, 28 / 3] as const;
/** Largest blur that can be measured, as a variance in texels squared. */
const MAX_BLUR = 24;

/**
 * Measures the texture of an atlas's luma where the surface faces the camera. Eyes and lids tell
 * how sharp it is, because they are alike in all faces; if most of them are hidden, all features
 * tell it. Also returns the bands, for `applyMatch`.
 * @param facing read in `measuredTexels` only
 */
export function measureTexture(
  luma: Float32Array,
  facing: Float32Array,
  layout: AtlasLayout,
  make: PlaneMaker = ordinaryPlanes,
): Texture & { readonly bands: Bands } {
  const bands = bandsOf(luma, layout, make);
  const { ofEyes, ofFeatures, ofSkin } = measuredTexels(layout);
  const seen = (texels: Uint32Array): Uint32Array => texels.filter((i) => facing[i]! >= MIN_FACING);
  const eyes = seen(ofEyes);
  const areSeen = eyes.length >= MIN_SEEN_EYES * ofEyes.length;
  const { fine, medium, broad } = sizesOf(bands, areSeen ? eyes : seen(ofFeatures));
  const skin = seen(ofSkin);
  return {
    sharpness: medium > 0 ? fine / medium : 1,
    blur: broad > 0 ? blurOf(medium / broad) : 0,
    grain: robustStd(sizeHistogram(bands.fine, skin), 16, skin.length),
    bands,
  };
}

/** Measures the root mean square of each band over the texels. */
function sizesOf({ fine, medium, broad }: Bands, texels: Uint32Array): Record<keyof Bands, number> {
  const size = (band: Float32Array): number =>
    Math.sqrt(texels.reduce((sum, i) => sum + band[i]! ** 2, 0) / Math.max(1, texels.length));
  return { fine: size(fine), medium: size(medium), broad: size(broad) };
}

/** Counts the sizes of a band over the texels, in steps of 1/16. */
function sizeHistogram(band: Float32Array, texels: Uint32Array): Uint32Array {
  const histogram = new Uint32Array(256);
  for (let k = 0; k < texels.length; k++)
    histogram[Math.min(255, (Math.abs(band[texels[k]!]!) * 16) | 0)]! += 1;
  return histogram;
}

/**
 * Splits a luma into its bands. The blurs leave out texels outside the face; otherwise bands at its
 * edge would be as large as the face is bright. Rows above and below the oval are not written.
 */
export function bandsOf(luma: Float32Array, layout: RegionMasks, make: PlaneMaker): Bands {
  const { side, oval } = layout;
  const [fine, medium, broad] = BLUR_RADII.map(() => make.uninitialised(luma.length));
  const rows = (plane: Float32Array): Float32Array => rowsOfOval(plane, layout);
  const bands = [rows(fine!), rows(medium!), rows(broad!)];
  const mask = rows(oval);
  splitBands(rows(luma), mask, ovalShares(layout).map(rows), BLUR_RADII, side, mask.length / side, bands);
  return { fine: fine!, medium: medium!, broad: broad! };
}

/** Facing below which a texel is not measured. */
const MIN_FACING = 0.4;
/** Smallest share of the texels of eyes and lids that tells how sharp a face is. */
const MIN_SEEN_EYES = 0.4;

/** Texels of the drawn face that `measureTexture` reads: its eyes, all features, and bare skin. */
export const measuredTexels = perLayout(({ opacity, lids, features, core }: RegionMasks) => {
  const drawn = (zone: Float32Array): Uint32Array =>
    texelsWhere(zone.length, (i) => opacity[i]! >= 0.9 && zone[i]! > 0.5);
  return { ofEyes: drawn(lids), ofFeatures: drawn(features), ofSkin: drawn(core) };
});

/**
 * Makes a plane for each radius: 1 over the share of the box that is in the oval; 0 outside the
 * oval.
 */
const ovalShares = perLayout(({ side, oval }: RegionMasks): readonly Float32Array[] => {
  const inside = oval.map((value) => (value > 0 ? 1 : 0));
  return BLUR_RADII.map((radius) => {
    const share = inside.slice();
    boxBlur(share, side, side, radius, 1);
    return residentCopy(share.map((value, i) => (inside[i] === 1 ? 1 / value : 0)));
  });
});

/**
 * Returns the root mean square of a band of a natural picture after a blur of this variance. The
 * power of a natural picture falls with the square of the frequency. The square of the result is
 * the integral, over all frequencies, of the squared difference of two Gaussians.
 */
function bandSize([from, to]: readonly [number, number], blur: number): number {
  const middle = (from + to) / 2 + blur;
  return Math.sqrt(0.5 * Math.log((middle * middle) / ((from + blur) * (to + blur))));
}

/**
 * Returns the size of the finest band over that of the medium band, after a blur of this variance.
 */
function sharpnessAfter(blur: number): number {
  return bandSize(FINE_BAND, blur) / bandSize(MEDIUM_BAND, blur);
}

/** Returns the blur after which the medium band has this size relative to the broad band. */
function blurOf(ratio: number): number {
  let low = 0;
  let high = MAX_BLUR;
  for (let k = 0; k < 24; k++) {
    const middle = (low + high) / 2;
    if (bandSize(MEDIUM_BAND, middle) > ratio * bandSize(BROAD_BAND, middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Factors of the three bands, and further changes of the finest one. */
export interface TextureMatch {
  readonly fine: number;
  readonly medium: number;
  readonly broad: number;
  /** Size below which steps of the finest band fade out; 0 if all stay. */
  readonly core: number;
  /** Noise to add to each pixel, levels of luma, standard deviation. */
  readonly grain: number;
}

/** The match that changes nothing. */
export const UNMATCHED: TextureMatch = { fine: 1, medium: 1, broad: 1, core: 0, grain: 0 };

/** Smallest gain of the finest band, because fine detail also belongs to the person. */
const MIN_FINE_GAIN = 0.35;
/** Largest gain of the finest band. */
const MAX_FINE_GAIN = 1.6;
/**
 * Blur that drawing adds to a face, as a variance in texels squared. (Read from 60 swaps: the
 * median.)
 */
const DRAWN_BLUR = 0.55;
/** Least variance of a measured blur, texels squared: no photo is sharper. */
const LEAST_BLUR = 0.01;
/**
 * Sharpening of a face that is softer than the target: the share of the difference in blur that is
 * taken off, and the largest share of the face's blur.
 */
const SHARPENING = { share: 0.3, most: 0.6 } as const;
/** Factor by which the grain of the source's skin may exceed the target's. */
const GRAIN_ALLOWANCE = 1.2;
/** Largest grain to add, levels. Stronger grain is damage, not film grain. */
const MAX_GRAIN_LEVELS = 4;
/**
 * Difference in blur, texels squared. 0 at `from`: different eyes explain it; 1 at `to`: the
 * picture does.
 */
const PICTURE_BLUR: Ramp = { from: 0.6, to: 1.6 };
/** The face in its picture whose texture is to be matched. */
export interface PictureOfFace {
  /** Size of a pixel in the atlas, texels. */
  readonly pixelTexels: number;
  /** Largest grain that may be added, see `mostGrain` in pixel-noise.ts. */
  readonly mostGrain: number;
}

/**
 * Computes how to make a face as sharp and as grainy as the target. Both are measured in the same
 * atlas. A target that is out of focus or enlarged has lost more than its finest band, so the same
 * blur is applied to the bands of the swapped face. `visibility` is 0..1.
 */
export function textureMatch(
  own: Texture,
  wanted: Texture,
  visibility: number,
  { pixelTexels, mostGrain }: PictureOfFace,
): TextureMatch {
  if (visibility <= 0) return UNMATCHED;
  const blur = own.blur + DRAWN_BLUR;
  const drawnSharpness =
    (own.sharpness * sharpnessAfter(blur)) / sharpnessAfter(Math.max(LEAST_BLUR, own.blur));
  const more = wanted.blur - blur;
  const added =
    more > 0 ? more * ramp(PICTURE_BLUR, more) : Math.max(SHARPENING.share * more, -SHARPENING.most * blur);
  const left = (band: readonly [number, number]): number =>
    bandSize(band, blur + added) / bandSize(band, blur);
  const mixed = (factor: number): number => 1 + visibility * (factor - 1);
  const medium = left(MEDIUM_BAND);
  const ratio = wanted.sharpness / Math.max(1e-3, drawnSharpness);
  const fine = mixed(Math.min(MAX_FINE_GAIN, medium * Math.max(MIN_FINE_GAIN, ratio)));
  // Pores and noise that are stronger than the target's are reduced. Edges are larger and stay.
  const surplus = Math.max(0, fine * own.grain - GRAIN_ALLOWANCE * wanted.grain - 0.5);
  const missing = wanted.grain ** 2 - (fine * own.grain) ** 2;
  return {
    fine,
    medium: mixed(medium),
    broad: mixed(left(BROAD_BAND)),
    core: visibility * surplus * 3,
    grain:
      missing > 0
        ? visibility * Math.min(MAX_GRAIN_LEVELS, mostGrain, Math.sqrt(missing) / grainSeen(pixelTexels))
        : 0,
  };
}

/**
 * Returns the share of the noise of single pixels that stays in the finest band of an atlas in
 * which a pixel is this many texels wide. Reading an atlas mixes pixels, and the band lacks wider
 * detail. The formula is fitted to noise measured at 0.4 to 2 texels.
 */
function grainSeen(pixelTexels: number): number {
  return 0.6 / (1 + 0.55 * pixelTexels ** 3);
}

/** Applies a match, in place, to the luma from which the bands were made (see `bandsOf`). */
export function applyMatch(
  luma: Float32Array,
  { fine, medium, broad }: Bands,
  layout: RegionMasks,
  match: TextureMatch,
): void {
  const rows = (plane: Float32Array): Float32Array => rowsOfOval(plane, layout);
  mixBands(rows(luma), [rows(fine), rows(medium), rows(broad)], match);
}
