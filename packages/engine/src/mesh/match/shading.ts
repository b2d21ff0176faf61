import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE, perLayout } from '../uv/atlas-layout.ts';
import type { AtlasColours } from '../uv/atlas.ts';
import { DARK_FLOOR_LUMA, MIN_CHROMA_SHARE } from './compose.ts';
import type { Light } from '../skin/light.ts';
import type { TargetFace } from '../target/target-face.ts';
import { shadeLifts } from './shade-bounds.ts';

/** Texels of a coarse plane. */
const TEXEL_COUNT = COARSE_SIDE * COARSE_SIDE;
/** Smallest gain of relief. A smaller one would leave stains. */
const MIN_RELIEF_GAIN = 0.4;
/** Largest gain of texels brighter than the light. A larger one would amplify noise. */
const MAX_BRIGHTER_GAIN = 2;
/**
 * Largest gain of texels darker than the light. Creases and the shade of the nose show the person,
 * so they are never reduced and hardly increased.
 */
const MAX_DARKER_GAIN = 1.3;
/**
 * Share of the skin's darkening that lips, lids and brows also get, because they would look pale
 * without it. Measured: 0 and 1 are worse.
 */
const FEATURE_SHARE = 0.5;
/** Size of noise in relief, as a share of the light. */
const RELIEF_NOISE = 0.005;
/**
 * Relief, as a share of the light. 0 at `from`: skin only scatters light; 1 at `to`: it reflects.
 */
const REFLECTING_RELIEF: Ramp = { from: 0.02, to: 0.12 };
/** Height of the relief's peaks, as a share of the light, below which they are not reflections. */
const MIN_PEAK = 0.02;
/** Size of noise in colours, levels. */
const COLOUR_NOISE_LEVELS = 0.5;
/** Certainty of skin below which a texel does not count. */
const MIN_SKIN = 0.3;

/** Relief of the darkest skin, three times its usual size. Darker texels are not skin. */
const DARKEST_SKIN_RELIEF = -0.15;

/**
 * Differences of a face's skin from its light, as root mean squares. Relief is a share of the
 * light.
 */
interface SkinStatistics {
  readonly brighter: number;
  readonly darker: number;
  /** Size of the brighter relief around the eyes. */
  readonly lids: number;
  /**
   * Height of the brightest relief: the root of the sum of fourth powers over the sum of squares.
   */
  readonly peak: number;
  readonly lidPeak: number;
  /** Change of red and blue per step of relief: first above the light, then below. */
  readonly redSlopes: readonly [number, number];
  readonly blueSlopes: readonly [number, number];
  /** Deviation of colours from these slopes, levels. */
  readonly ownColour: number;
}

/**
 * Computes the steps that give a lit face the relief and colours of the target's skin. Reflections
 * add the same light to any skin, so they are a large share of what dark skin shows and a small
 * share of what light skin shows (dichromatic reflection: Shafer, 1985). If they were copied as
 * shares, a dark face would look painted on a light one, and a light face flat on a dark one. So
 * differences from the light get the size of the target's (as in Shih et al., Style Transfer for
 * Headshot Portraits, 2014, which matches energies). Shine becomes at most as bright as the
 * brightest shine of the target's skin, and reddens and fades with luma as the target's skin does.
 * @param small the lit face in a coarse atlas
 * @param light with which the face was lit
 * @param share of the full step, 0..1
 * @param bound 0..1: how strictly the target limits shades, see `shadeLifts`
 * @returns steps to add to luma and colour differences, planes of `COARSE_SIDE` squared
 */
export function shadingOffsets(
  small: AtlasColours,
  target: TargetFace,
  light: Light,
  share: number,
  bound: number,
  layout: AtlasLayout,
  make: PlaneMaker,
): readonly Float32Array[] {
  const offsets = [make.floats(TEXEL_COUNT), make.floats(TEXEL_COUNT), make.floats(TEXEL_COUNT)] as const;
  if (share <= 0) return offsets;
  const weight = make.floats(TEXEL_COUNT);
  const { opacity, features, beardZone } = layout;
  for (let i = 0; i < TEXEL_COUNT; i++) {
    // Stubble is not relief.
    const skin = target.skin[i]! * opacity[i]! * (1 - features[i]!) * (1 - beardZone[i]!);
    if (skin >= MIN_SKIN) weight[i] = skin;
  }
  const { lids } = zonesOf(layout);
  const own = skinStatistics(small, light, weight, lids);
  const wanted = skinStatistics(target.small, light, weight, lids);
  const lifts = bound > 0 ? shadeLifts(small, target, light, bound, layout, make) : null;
  findOffsets(small, light, own, wanted, lifts, share, layout, offsets);
  return offsets;
}

interface Zones {
  /**
   * Bare skin, the skin of lids and around brows, and all other features except the eyes. Their sum
   * is at most 1.
   */
  readonly bare: Float32Array;
  readonly lids: Float32Array;
  readonly others: Float32Array;
}

/** Shares of bare skin, lids and other features in each texel. */
const zonesOf = perLayout((layout: RegionMasks): Zones => {
  const { oval, features, softEyes, holes, browsSoft, browArea } = layout;
  const bare = new Float32Array(oval.length);
  const lids = new Float32Array(oval.length);
  const others = new Float32Array(oval.length);
  for (let i = 0; i < oval.length; i++) {
    const seen = oval[i]! * (1 - Math.min(1, softEyes[i]! + holes[i]!));
    bare[i] = seen * (1 - features[i]!);
    lids[i] = seen * features[i]! * Math.max(layout.lids[i]!, browArea[i]!) * (1 - browsSoft[i]!);
    others[i] = seen - bare[i]! - lids[i]!;
  }
  return { bare, lids, others };
});

function skinStatistics(
  small: AtlasColours,
  light: Light,
  weight: Float32Array,
  lids: Float32Array,
): SkinStatistics {
  let total = 1e-6;
  let lidTotal = 1e-6;
  let lidSum = 0;
  let lidFourths = 0;
  let fourths = 0;
  let colourSum = 0;
  // Sums of relief, and of colour along the relief: first over brighter, then over darker texels.
  const relief = new Float64Array(2);
  const redShade = new Float64Array(2);
  const redAlong = new Float64Array(2);
  const blueShade = new Float64Array(2);
  const blueAlong = new Float64Array(2);
  for (let i = 0; i < TEXEL_COUNT; i++) {
    const w = weight[i]!;
    const lid = lids[i]!;
    if (w === 0 && lid === 0) continue;
    const step = reliefOf(small.luma[i]!, light.luma[i]!);
    lidTotal += lid;
    if (step > 0) {
      const squared = step * step;
      lidSum += lid * squared;
      lidFourths += lid * squared * squared;
      fourths += w * squared * squared;
    }
    const k = step > 0 ? 0 : 1;
    const red = small.red[i]! - light.red[i]!;
    const blue = small.blue[i]! - light.blue[i]!;
    const redStep = step * light.red[i]!;
    const blueStep = step * light.blue[i]!;
    total += w;
    relief[k]! += w * step * step;
    redShade[k]! += w * redStep * redStep;
    redAlong[k]! += w * redStep * red;
    blueShade[k]! += w * blueStep * blueStep;
    blueAlong[k]! += w * blueStep * blue;
    colourSum += w * (red * red + blue * blue);
  }
  for (let k = 0; k < 2; k++) {
    // Subtracts the squares that the fitted lines explain.
    colourSum -= redAlong[k]! ** 2 / (redShade[k]! + 1e-6) + blueAlong[k]! ** 2 / (blueShade[k]! + 1e-6);
  }
  return {
    brighter: Math.sqrt(relief[0]! / total),
    darker: Math.sqrt(relief[1]! / total),
    lids: Math.sqrt(lidSum / lidTotal),
    peak: peakOf(fourths, relief[0]!),
    lidPeak: peakOf(lidFourths, lidSum),
    redSlopes: [slope(redAlong[0]!, redShade[0]!), slope(redAlong[1]!, redShade[1]!)],
    blueSlopes: [slope(blueAlong[0]!, blueShade[0]!), slope(blueAlong[1]!, blueShade[1]!)],
    ownColour: Math.sqrt(Math.max(0, colourSum) / total),
  };
}

function reliefOf(luma: number, light: number): number {
  return (luma - light) / (light + DARK_FLOOR_LUMA);
}

/**
 * Limits a slope. At 1, colours fade with luma, as in plain shade. At 0, they stay. Below 0,
 * brighter texels are whiter, as reflections are.
 */
function slope(along: number, shade: number): number {
  return Math.max(-2, Math.min(1, along / (shade + 1e-6)));
}

function gainOf(wanted: number, own: number, noise: number, most: number): number {
  return Math.max(MIN_RELIEF_GAIN, Math.min(most, (wanted + noise) / (own + noise)));
}

function peakOf(fourths: number, squares: number): number {
  return Math.max(MIN_PEAK, Math.sqrt(fourths / (squares + 1e-6)));
}

/**
 * Returns how strongly bright relief is compressed so that its peaks get the wanted height; 0 means
 * no compression. Only a few spots of shine are above the peaks.
 */
function bendOf(wanted: number, own: number): number {
  return own > wanted ? 1 / wanted - 1 / own : 0;
}

function findOffsets(
  small: AtlasColours,
  light: Light,
  own: SkinStatistics,
  wanted: SkinStatistics,
  lifts: Float32Array | null,
  share: number,
  layout: RegionMasks,
  [luma, blue, red]: readonly [Float32Array, Float32Array, Float32Array],
): void {
  const { bare, lids, others } = zonesOf(layout);
  const brighter = gainOf(wanted.brighter, own.brighter, RELIEF_NOISE, MAX_BRIGHTER_GAIN) - 1;
  const lidsBrighter = gainOf(wanted.lids, own.lids, RELIEF_NOISE, 1) - 1;
  const othersBrighter = Math.min(0, brighter);
  const darker = Math.max(0, gainOf(wanted.darker, own.darker, RELIEF_NOISE, MAX_DARKER_GAIN) - 1);
  const kept = gainOf(wanted.ownColour, own.ownColour, COLOUR_NOISE_LEVELS, 1);
  const bend = bendOf(wanted.peak, (1 + brighter) * own.peak);
  const lidsBend = bendOf(wanted.lidPeak, (1 + lidsBrighter) * own.lidPeak);
  for (let i = 0; i < TEXEL_COUNT; i++) {
    const skin = bare[i]! + lids[i]!;
    if (skin === 0 && others[i] === 0) continue;
    const step = small.luma[i]! - light.luma[i]!;
    const before = reliefOf(small.luma[i]!, light.luma[i]!);
    let gain: number;
    if (step > 0) {
      gain = 1 + brighter * bare[i]! + lidsBrighter * lids[i]! + othersBrighter * others[i]!;
      gain /= 1 + gain * before * (bend * (bare[i]! + others[i]!) + lidsBend * lids[i]!);
    } else gain = 1 + darker * (bare[i]! + FEATURE_SHARE * (lids[i]! + others[i]!));
    const lift = lifts === null ? 0 : lifts[i]! * skin;
    luma[i] = share * ((gain - 1) * step + lift * (light.luma[i]! + DARK_FLOOR_LUMA));
    const after = gain * before + lift;
    const k = step > 0 ? 0 : 1;
    // The white of a reflection scales with the reflection. The colour in it comes from the
    // source's surroundings, so it fades out.
    const ofItsOwn = Math.min(kept, gain) * (1 - ramp(REFLECTING_RELIEF, before));
    const redBefore = light.red[i]! * faded(own.redSlopes[k], before);
    const blueBefore = light.blue[i]! * faded(own.blueSlopes[k], before);
    const redAfter = light.red[i]! * faded(wanted.redSlopes[k], after);
    const blueAfter = light.blue[i]! * faded(wanted.blueSlopes[k], after);
    red[i] = share * skin * (redAfter - small.red[i]! + ofItsOwn * (small.red[i]! - redBefore));
    blue[i] = share * skin * (blueAfter - small.blue[i]! + ofItsOwn * (small.blue[i]! - blueBefore));
  }
}

/**
 * Computes the factor on chroma at a relief. Below skin's darkest relief (lashes, corners), colours
 * fade as in plain shade.
 */
function faded(slope: number, relief: number): number {
  const ofSkin = relief < DARKEST_SKIN_RELIEF ? DARKEST_SKIN_RELIEF : relief;
  return Math.max(MIN_CHROMA_SHARE, 1 + slope * ofSkin + (relief - ofSkin));
}
