import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { keepInRange, sharpen } from '@guise/kernels/filter/bands.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { AtlasGeometry } from '../uv/atlas-geometry.ts';

/** Softness of a face in its atlas. */
export interface Softness {
  /** Number of texels for one pixel of the photo. */
  readonly pixelTexels: number;
  /** `Texture.blur`: variance, texels squared. */
  readonly blur: number;
}

/** Values of a constant for a sharp face and for the softest face. */
interface BySoftness {
  readonly sharp: number;
  readonly soft: number;
}

/** Gain of the finest band at full strength. */
const FINE_GAIN: BySoftness = { sharp: 0.7, soft: 1.5 };
/** Gain of the next coarser band at full strength. */
const COARSE_GAIN: BySoftness = { sharp: 0.4, soft: 1 };
/** Largest change of a texel's luma, levels. */
const MAX_CHANGE_LEVELS: BySoftness = { sharp: 14, soft: 45 };
/**
 * Blur, as a variance in texels squared. 0 at `from`: the face is sharp; 1 at `to`: it gets the
 * full gain.
 */
const SOFT_BLUR: Ramp = { from: 1.7, to: 5.4 };
/** Size of a step, levels, below which the step is noise or compression and is not sharpened. */
const NOISE_LEVELS = 1.5;
/** Largest radius of the sharpening, texels. */
const MAX_RADIUS_TEXELS = 4;
/**
 * Share of the range of the surrounding texels by which a texel may exceed that range. The limit
 * makes edges sharper without halos.
 */
const OVERSHOOT_SHARE = 0.08;
/** Levels by which a texel may always exceed that range. */
const OVERSHOOT_LEVELS = 1;

/**
 * Copies a luma and strengthens the detail of a soft face in two bands. The result is `raw +
 * strength * (restored - raw)`, so `strength` (0..1) is the opacity of the restored face over the
 * raw one. A face that is enlarged or out of focus is sharpened at its own scale, and more if it is
 * softer, but its texels hardly exceed the range of the texels around them.
 */
export function restoreDetail(
  raw: Float32Array,
  { side }: Pick<AtlasGeometry, 'side'>,
  { pixelTexels, blur }: Softness,
  strength: number,
  make: PlaneMaker = ordinaryPlanes,
): Float32Array {
  const luma = make.copyOf(raw);
  if (strength <= 0) return luma;
  const softness = ramp(SOFT_BLUR, blur);
  const between = ({ sharp, soft }: BySoftness): number => sharp + softness * (soft - sharp);
  const pixelRadius = Math.max(1, Math.min(3, Math.round(pixelTexels)));
  const blurRadius = Math.min(MAX_RADIUS_TEXELS, Math.round(Math.sqrt(1.1 * blur)));
  const radius = softness > 0 ? Math.max(pixelRadius, blurRadius) : pixelRadius;
  const sharpening = {
    radius,
    fineGain: between(FINE_GAIN),
    coarseGain: between(COARSE_GAIN),
    core: NOISE_LEVELS,
    most: between(MAX_CHANGE_LEVELS),
  };
  if (softness === 0) {
    sharpen(luma, side, side, { ...sharpening, strength });
    return luma;
  }
  sharpen(luma, side, side, { ...sharpening, strength: 1 });
  keepInRange(luma, raw, side, side, {
    reach: radius + 1,
    overshoot: OVERSHOOT_LEVELS,
    overshootShare: OVERSHOOT_SHARE,
    strength,
  });
  return luma;
}
