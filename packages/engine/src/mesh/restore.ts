import { boxBlur } from '@guise/kernels/box-blur.ts';
import type { AtlasLayout } from './atlas-layout.ts';

/** Gains of the finest and the next coarser band at full strength. */
const FINE_GAIN = 0.7;
const COARSE_GAIN = 0.4;
/** Steps below this are noise or compression and are not sharpened. */
const CORE_STEP = 1.5;
/** No texel is moved further than this: sharper, but without halos. */
const MOST_CHANGE = 14;

/**
 * Detail of a soft face brought out in two bands, in place: `luma += strength * (restored - luma)`, so the strength is the
 * opacity of the restored face over the raw one. `radius` in texels is the size of one source pixel: what is enlarged is sharpened at
 * its own scale.
 */
export function restoreDetail(
  luma: Float32Array,
  layout: AtlasLayout,
  radius: number,
  strength: number,
): void {
  if (strength <= 0) return;
  const { side, scratch } = layout;
  const fine = luma.slice();
  boxBlur(fine, scratch, side, side, radius, 1);
  const coarse = fine.slice();
  boxBlur(coarse, scratch, side, side, 2 * radius + 1, 1);
  for (let i = 0; i < luma.length; i++) {
    const fineStep = luma[i]! - fine[i]!;
    const coarseStep = fine[i]! - coarse[i]!;
    const change = FINE_GAIN * cored(fineStep) + COARSE_GAIN * cored(coarseStep);
    luma[i]! += (strength * change) / (1 + Math.abs(change) / MOST_CHANGE);
  }
}

/** Small steps fade out: step^3 / (step^2 + core^2). */
function cored(step: number): number {
  return (step * step * step) / (step * step + CORE_STEP * CORE_STEP);
}

export interface Texture {
  /** Mean size of the finest band over the mean of the next, over features and skin: how sharp it is. */
  readonly sharpness: number;
  /** Size of the finest band on bare skin: grain, noise, pores. Luma steps, standard deviation. */
  readonly grain: number;
}

/** Median absolute deviation to standard deviation of a normal distribution. */
const MAD_TO_SIGMA = 1.4826;

/** Measures the texture of an atlas's luma where it is well seen. Also returns the finest band, for `matchSharpness`. */
export function measureTexture(
  luma: Float32Array,
  facing: Float32Array,
  layout: AtlasLayout,
): Texture & { readonly fine: Float32Array } {
  const { side } = layout;
  const { scratch } = layout;
  const blurred = luma.slice();
  boxBlur(blurred, scratch, side, side, 1, 1);
  const wide = blurred.slice();
  boxBlur(wide, scratch, side, side, 2, 1);
  let fineSum = 0;
  let wideSum = 0;
  const histogram = new Uint32Array(256);
  let skinCount = 0;
  // The blurs are done with: the first is turned into the band in place.
  const fine = blurred;
  for (let i = 0; i < luma.length; i++) {
    const smooth = blurred[i]!;
    const step = luma[i]! - smooth;
    fine[i] = step;
    if (facing[i]! < 0.4 || layout.opacity[i]! < 0.9) continue;
    const size = Math.abs(step);
    if (layout.features[i]! > 0.5) {
      fineSum += size;
      wideSum += Math.abs(smooth - wide[i]!);
    }
    if (layout.core[i]! > 0.5) {
      skinCount += 1;
      histogram[Math.min(255, Math.floor(size * 16))]! += 1;
    }
  }
  let below = 0;
  let bin = 0;
  while (bin < 255 && below + histogram[bin]! < skinCount / 2) below += histogram[bin++]!;
  return {
    sharpness: wideSum > 0 ? fineSum / wideSum : 1,
    grain: ((bin + 0.5) / 16) * MAD_TO_SIGMA,
    fine,
  };
}
