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

export interface Texture {
  /**
   * Mean size of the finest band over the mean of the next, over features and skin: how sharp it
   * is.
   */
  readonly sharpness: number;
  /**
   * Variance, texels squared, of the blur that lies over the features: what neither lens nor
   * enlargement left of them.
   */
  readonly blur: number;
  /**
   * Size of the finest band on bare skin: grain, noise, pores. Levels of luma, standard deviation.
   */
  readonly grain: number;
}

/** What the luma is made of: `luma = fine + medium + broad + rest`. */
export interface Bands {
  readonly fine: Float32Array;
  readonly medium: Float32Array;
  readonly broad: Float32Array;
}

/** Box radii of the three blurs, each applied over the one before. */
const BLUR_RADII = [1, 2, 4] as const;
/** Variances of blur, texels squared, between which the medium band lies. */
const MEDIUM_BAND = [2 / 3, 8 / 3] as const;
/** Variances of blur, texels squared, between which the broad band lies. */
const BROAD_BAND = [8 / 3, 28 / 3] as const;
/** Largest blur that is measured, variance in texels squared. */
const MAX_BLUR = 24;

/**
 * Measures the texture of an atlas's luma where it is well seen. Also returns its bands, for
 * `matchTexture`.
 * @param facing read in `measuredTexels` only
 */
export function measureTexture(
  luma: Float32Array,
  facing: Float32Array,
  layout: AtlasLayout,
  make: PlaneMaker = ordinaryPlanes,
): Texture & { readonly bands: Bands } {
  const bands = bandsOf(luma, layout, make);
  const { ofFeatures, ofSkin } = measuredTexels(layout);
  const [fineSum, mediumSum, broadSum] = sizesOf(bands, ofFeatures, facing);
  const histogram = new Uint32Array(256);
  const skinCount = countSizes(bands.fine, ofSkin, facing, histogram);
  return {
    sharpness: mediumSum > 0 ? fineSum / mediumSum : 1,
    blur: broadSum > 0 ? blurOf(mediumSum / broadSum) : 0,
    grain: robustStd(histogram, 16, skinCount),
    bands,
  };
}

/** Sums each band's sizes, over those of the texels that are well seen. */
function sizesOf(
  { fine, medium, broad }: Bands,
  texels: Uint32Array,
  facing: Float32Array,
): [fine: number, medium: number, broad: number] {
  let fineSum = 0;
  let mediumSum = 0;
  let broadSum = 0;
  for (let k = 0; k < texels.length; k++) {
    const i = texels[k]!;
    if (facing[i]! < MIN_FACING) continue;
    fineSum += Math.abs(fine[i]!);
    mediumSum += Math.abs(medium[i]!);
    broadSum += Math.abs(broad[i]!);
  }
  return [fineSum, mediumSum, broadSum];
}

/**
 * Counts a band's sizes in steps of 1/16, over those of the texels that are well seen.
 * @returns how many these are
 */
function countSizes(
  band: Float32Array,
  texels: Uint32Array,
  facing: Float32Array,
  histogram: Uint32Array,
): number {
  let count = 0;
  for (let k = 0; k < texels.length; k++) {
    const i = texels[k]!;
    if (facing[i]! < MIN_FACING) continue;
    count += 1;
    histogram[Math.min(255, (Math.abs(band[i]!) * 16) | 0)]! += 1;
  }
  return count;
}

/**
 * What is outside the face is not blurred into it: without that, bands of its edge are as large as
 * the face is bright. Nothing is written to rows above and below the oval.
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

/** Texels that `measureTexture` reads, where the face is drawn: its features, and bare skin. */
export const measuredTexels = perLayout(({ opacity, features, core }: RegionMasks) => {
  const drawn = (zone: Float32Array): Uint32Array =>
    Uint32Array.from(opacity.keys()).filter((i) => opacity[i]! >= 0.9 && zone[i]! > 0.5);
  return { ofFeatures: drawn(features), ofSkin: drawn(core) };
});

/** Makes a plane a radius: 1 over the share of the box that lies in the oval; 0 outside. */
const ovalShares = perLayout(({ side, oval }: RegionMasks): readonly Float32Array[] => {
  const inside = oval.map((value) => (value > 0 ? 1 : 0));
  return BLUR_RADII.map((radius) => {
    const share = inside.slice();
    boxBlur(share, side, side, radius, 1);
    return residentCopy(share.map((value, i) => (inside[i] === 1 ? 1 / value : 0)));
  });
});

/**
 * Root mean square of a band of a natural picture (its power falls with the square of the
 * frequency) under a blur of this variance: the integral over all frequencies of the difference of
 * two Gaussians, squared.
 */
function bandSize([from, to]: readonly [number, number], blur: number): number {
  const middle = (from + to) / 2 + blur;
  return Math.sqrt(0.5 * Math.log((middle * middle) / ((from + blur) * (to + blur))));
}

/** The blur under which the medium band is this large beside the broad one. */
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

/** Factors of the three bands, and what the finest one loses besides. */
export interface TextureMatch {
  readonly fine: number;
  readonly medium: number;
  readonly broad: number;
  /** Steps of the finest band below this fade out; 0: none do. */
  readonly core: number;
  /** Noise to add to each pixel, levels of luma, standard deviation. */
  readonly grain: number;
  /**
   * Variance of the blur, square pixels, that a small face still lacks and the bands do not give.
   */
  readonly missingBlur: number;
}

/** Match that leaves a face as it is. */
export const UNMATCHED: TextureMatch = { fine: 1, medium: 1, broad: 1, core: 0, grain: 0, missingBlur: 0 };

/** Least gain of the finest band: an identity has its own detail too. */
const MIN_FINE_GAIN = 0.35;
/** Largest gain of the finest band. */
const MAX_FINE_GAIN = 1.5;
/** Factor on the target's grain up to which the source's skin may be grainy. */
const GRAIN_ALLOWANCE = 1.2;
/** Levels of grain beyond which it is damage, not film. */
const MAX_GRAIN_LEVELS = 4;
/**
 * Difference in blur (texels squared) over which it is the picture's; a smaller one may be of other
 * brows, other lips.
 */
const PICTURE_BLUR: Ramp = { from: 1.2, to: 2.8 };
/**
 * Longer side of a face, pixels, over which features are so small that any difference in blur is
 * their picture's: one pixel of it is seen at once there.
 */
const SMALL_FACE_PX: Ramp = { from: 260, to: 160 };
/** Variance of a blur, square pixels, over which it is sure to be one (measured, docs/lab). */
const SURE_BLUR: Ramp = { from: 0.25, to: 0.8 };

/** The face in its picture that a texture is matched to. */
export interface PictureOfFace {
  /** Size of a pixel in the atlas, texels. */
  readonly pixelTexels: number;
  /** Longer side of the face's box, pixels. */
  readonly facePixels: number;
  /** Grain that may be added, see `mostGrain` in pixel-noise.ts. */
  readonly mostGrain: number;
}

/**
 * What makes a face as sharp and as grainy as the target, both measured in the same atlas. A target
 * out of focus or enlarged has lost more than its finest band: the same blur is laid over the bands
 * of the swapped face. `visibility` 0..1.
 */
export function textureMatch(
  own: Texture,
  wanted: Texture,
  visibility: number,
  { pixelTexels, facePixels, mostGrain }: PictureOfFace,
): TextureMatch {
  if (visibility <= 0) return UNMATCHED;
  const more = wanted.blur - own.blur;
  const added = Math.max(0, more) * ramp(PICTURE_BLUR, more);
  const left = (band: readonly [number, number]): number =>
    bandSize(band, own.blur + added) / bandSize(band, own.blur);
  const leftBlur = Math.max(0, more - added) / pixelTexels ** 2;
  const missingBlur = leftBlur * ramp(SMALL_FACE_PX, facePixels) * ramp(SURE_BLUR, leftBlur);
  const mixed = (factor: number): number => 1 + visibility * (factor - 1);
  const medium = left(MEDIUM_BAND);
  const ratio = wanted.sharpness / Math.max(1e-3, own.sharpness);
  const fine = mixed(medium * Math.max(MIN_FINE_GAIN, Math.min(MAX_FINE_GAIN, ratio)));
  // Pores and noise beyond the target's own are taken back; edges, which are larger, stay.
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
    missingBlur: visibility * missingBlur,
  };
}

/**
 * What of noise of single pixels is left in an atlas's finest band, where a pixel is so many texels
 * wide: pixels are mixed when an atlas is read, and what is wider than the band is not in it.
 * Fitted to noise that was read, 0.4 to 2 texels.
 */
function grainSeen(pixelTexels: number): number {
  return 0.6 / (1 + 0.55 * pixelTexels ** 3);
}

/** Applies a match to the luma that the bands (see `bandsOf`) are of, in place. */
export function applyMatch(
  luma: Float32Array,
  { fine, medium, broad }: Bands,
  layout: RegionMasks,
  match: TextureMatch,
): void {
  const rows = (plane: Float32Array): Float32Array => rowsOfOval(plane, layout);
  mixBands(rows(luma), [rows(fine), rows(medium), rows(broad)], match);
}
