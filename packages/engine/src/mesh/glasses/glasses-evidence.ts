import { clamp } from '@guise/kernels/clamp.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { enlargeSquare } from '@guise/kernels/scale/plane-scale.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { colourTells, relativeDarkness } from '../skin/not-skin.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import type { Atlas } from '../uv/atlas.ts';
import { LUMA_NOISE_FLOOR } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { midlineDistance } from '../uv/texel.ts';
import { bluerThanSkin } from './bluer-than-skin.ts';
import { dilate, erode } from '../skin/extreme-filter.ts';
import { glassesZones } from './glasses-zones.ts';
import { longLines } from './long-lines.ts';

/** Height at which the band of the atlas that glasses lie in begins, sides. */
const BAND_TOP_SIDES = 0.2;
/** Height at which it ends, sides. */
const BAND_BOTTOM_SIDES = 0.62;
/** Half the thickness of rims of wire, and of shadows and reflections along others, sides. */
const LINE_RADIUS_SIDES = 1 / 64;
/** Half the thickness of broad dark rims, sides. */
const RIM_RADIUS_SIDES = 1 / 45;
/** Half the thickness of the broadest pale or clear rims, sides. */
const PALE_RADIUS_SIDES = 1 / 28;
/** Relative darkness of a broad rim against its surroundings. */
const RIM_DARKNESS: Ramp = { from: 0.22, to: 0.4 };
/** Relative darkness that no shading explains: frames of any breadth. */
const FOREIGN_DARKNESS: Ramp = { from: 0.45, to: 0.6 };
/** Relative brightness that no shading explains: glare of a lens. */
const GLARE: Ramp = { from: 0.3, to: 0.5 };
/** Loss of redness, in shares of the skin's, that tells clear and pale frames. */
const PALENESS: Ramp = { from: 0.3, to: 0.55 };
/** Redness from which a loss is measured at least. */
const MIN_RED = 12;
/** Bluer than skin by these deviations: what a coated lens reflects. */
const REFLECTION: Ramp = { from: 3, to: 5 };

/**
 * Strength of the cheeks' own lines that is exceeded by a quarter of them: pores, grain, freckles.
 */
const CHEEK_QUANTILE = 0.75;
/** Part of the cheeks in which these are measured, sides. */
const CHEEK_BOX = { top: 0.5, inner: 0.1 };
/** Strength of a line, in the cheeks' own, from which it may be part of a frame; and its limits. */
const LINE_ONSET = { cheeks: 1.5, least: 0.03, most: 0.06 };
/** Strength at which it surely is. */
const LINE_FULL = { cheeks: 4, least: 0.1, most: 0.18 };

/** Share of the band that dark frames fill at least. */
const MIN_DARK_SHARE = 1 / 1000;
/** Luma of dark frames at most, as a share of the skin's. */
const DARK_RIMS = 0.35;

/** Strength of a long stretch of line, see `longLines`, from which it may be part of a frame. */
const LONG_ONSET = { cheeks: 1.4, least: 0.012, most: 0.03 };
/** Strength at which such a stretch surely is. */
const LONG_FULL = { cheeks: 3.5, least: 0.035, most: 0.07 };

/** A strength as a multiple of that of the cheeks' own lines, between limits. */
interface LineLimits {
  readonly cheeks: number;
  readonly least: number;
  readonly most: number;
}

/** What tells the frames of a source's glasses, in the rows of the atlas that glasses lie in. */
export interface GlassesEvidence {
  /** First texel of these rows in the atlas. */
  readonly from: number;
  /** How surely each texel is part of glasses, or of their shadow or glare, 0..1. */
  readonly odd: Float32Array;
  readonly luma: Float32Array;
  /** Luma of the skin around what is dark and at most as broad as a rim. */
  readonly around: Float32Array;
  /** Relative brightness against what is beside a thin line. */
  readonly bright: Float32Array;
  /** Luma of dark frames; infinite if the frames are not dark. */
  readonly rimLuma: number;
}

/**
 * Measures where the skin of a wearer of glasses is not as skin is: thin lines darker or lighter
 * than what is beside them, whatever their colour, broad ones that are dark or pale, glare and
 * reflections. Eyes, lids and brows are left out. `model` is fitted on the coarse atlas.
 */
export function glassesEvidence(
  atlas: Atlas,
  layout: AtlasLayout,
  model: SkinModel,
  make: PlaneMaker,
): GlassesEvidence {
  const { side } = atlas;
  const from = Math.floor(BAND_TOP_SIDES * side) * side;
  const count = Math.ceil(BAND_BOTTOM_SIDES * side) * side - from;
  const band = (plane: Float32Array): Float32Array => plane.subarray(from, from + count);
  const [luma, blue, red] = [atlas.luma, atlas.blue, atlas.red].map((plane) => {
    const copy = make.copyOf(band(plane));
    boxBlur(copy, side, count / side, Math.max(1, side >> 8), 1);
    return copy;
  }) as [Float32Array, Float32Array, Float32Array];
  const closed = (plane: Float32Array, sides: number): Float32Array => {
    const radius = Math.max(1, Math.round(sides * side));
    const copy = make.copyOf(plane);
    dilate(copy, side, count / side, radius);
    erode(copy, side, count / side, radius);
    return copy;
  };
  const beside = closed(luma, LINE_RADIUS_SIDES);
  const around = closed(luma, RIM_RADIUS_SIDES);
  const redder = closed(red, PALE_RADIUS_SIDES);
  const bright = brightLines(luma, side, make);
  const dark = make.uninitialised(count);
  for (let k = 0; k < count; k++) dark[k] = relativeDarkness(beside[k]!, luma[k]!);

  const expected = band(
    enlargeSquare(model.luma, COARSE_SIDE, side / COARSE_SIDE, make.uninitialised(side * side)),
  );
  const zones = glassesZones(layout);
  const [searched, evenlyLit, dull, smooth] = [zones.searched, zones.evenlyLit, zones.dull, zones.smooth].map(
    band,
  ) as [Float32Array, Float32Array, Float32Array, Float32Array];
  const long = longLines(luma, searched, side, make);
  const cheek = cheekOf(band(layout.core), side, from);
  const line = linesOfGlasses((k) => Math.max(dark[k]!, bright[k]!), cheek, LINE_ONSET, LINE_FULL);
  const longLine = linesOfGlasses((k) => long[k]!, cheek, LONG_ONSET, LONG_FULL);
  const tells = colourTells(model.red);
  const odd = make.floats(count);
  let darkSum = 0;
  let darkCount = 0;
  for (let k = 0; k < count; k++) {
    if (searched[k] === 0) continue;
    const darkness = relativeDarkness(expected[k]!, luma[k]!);
    const rim = ramp(RIM_DARKNESS, relativeDarkness(around[k]!, luma[k]!));
    const pale = tells * ramp(PALENESS, (redder[k]! - red[k]!) / Math.max(MIN_RED, model.red));
    const bluer = bluerThanSkin(model, expected[k]!, luma[k]!, blue[k]!, red[k]!);
    odd[k] =
      searched[k]! *
      Math.max(
        smooth[k]! * ramp(line, Math.max(dark[k]!, dull[k]! * bright[k]!)),
        smooth[k]! * dull[k]! * evenlyLit[k]! * ramp(longLine, long[k]!),
        evenlyLit[k]! * Math.max(rim, pale),
        ramp(FOREIGN_DARKNESS, darkness),
        dull[k]! * ramp(GLARE, -darkness),
        tells * ramp(REFLECTION, bluer),
      );
    if (searched[k] === 1 && rim === 1) {
      darkSum += luma[k]!;
      darkCount += 1;
    }
  }
  const isDark = darkCount > MIN_DARK_SHARE * count && darkSum < DARK_RIMS * darkCount * model.median;
  return { from, odd, luma, around, bright, rimLuma: isDark ? darkSum / darkCount : Infinity };
}

/** Relative brightness against both sides of a thin line. */
function brightLines(luma: Float32Array, side: number, make: PlaneMaker): Float32Array {
  const radius = Math.max(1, Math.round(LINE_RADIUS_SIDES * side));
  const bright = make.copyOf(luma);
  erode(bright, side, luma.length / side, radius);
  dilate(bright, side, luma.length / side, radius);
  for (let k = 0; k < bright.length; k++)
    bright[k] = (luma[k]! - bright[k]!) / (bright[k]! + LUMA_NOISE_FLOOR);
  return bright;
}

/** Lists the texels of the band that show cheeks below most lenses. */
function cheekOf(core: Float32Array, side: number, from: number): number[] {
  const cheek: number[] = [];
  for (let k = CHEEK_BOX.top * side * side - from; k < core.length; k++)
    if (core[k]! > 0.5 && midlineDistance(k, side) > CHEEK_BOX.inner) cheek.push(k);
  return cheek;
}

/** How strong a line must be on this skin: stronger than what its cheeks show without glasses. */
function linesOfGlasses(
  strength: (k: number) => number,
  cheek: readonly number[],
  onset: LineLimits,
  full: LineLimits,
): Ramp {
  const usual = Float64Array.from(cheek, strength).sort()[Math.floor(CHEEK_QUANTILE * cheek.length)] ?? 0;
  return {
    from: clamp(onset.cheeks * usual, onset.least, onset.most),
    to: clamp(full.cheeks * usual, full.least, full.most),
  };
}
