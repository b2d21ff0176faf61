import { keepInRange, sharpen } from '@guise/kernels/bands.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { AtlasGeometry } from '../uv/atlas-geometry.ts';

/** How soft a face is in its atlas. */
export interface Softness {
  /** Texels to one pixel of the photo. */
  readonly pixelTexels: number;
  /** `Texture.blur`: variance, texels squared. */
  readonly blur: number;
}

/** Gains of the finest and the next coarser band at full strength, of a sharp face and of the softest. */
const FINE_GAIN = [0.7, 1.5] as const;
const COARSE_GAIN = [0.4, 1] as const;
/** No texel is moved further than this. */
const MOST_CHANGE = [14, 45] as const;
/** Blur up to which a face is sharp, and from which it is as soft as can be helped. */
const SHARP = 2.5;
const SOFT = 8;
/** Steps below this are noise or compression and are not sharpened. */
const CORE_STEP = 1.5;
const MOST_RADIUS = 4;
/** How far a texel may leave the range of those around it, in shares of that range and in luma: sharper, but without halos. */
const OVERSHOOT_SHARE = 0.08;
const OVERSHOOT = 1;

/**
 * A copy of a luma with the detail of a soft face brought out in two bands: `raw + strength * (restored - raw)`, so the strength (0..1) is the
 * opacity of the restored face over the raw one. What is enlarged or out of focus is sharpened at its own scale, and the more the
 * softer it is, but never beyond what is around it.
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
  const softness = smoothstep(SHARP, SOFT, blur);
  const between = ([sharp, soft]: readonly [number, number]): number => sharp + softness * (soft - sharp);
  const pixelRadius = Math.max(1, Math.min(3, Math.round(pixelTexels)));
  const blurRadius = Math.min(MOST_RADIUS, Math.round(Math.sqrt(0.75 * blur)));
  const radius = softness > 0 ? Math.max(pixelRadius, blurRadius) : pixelRadius;
  const sharpening = {
    radius,
    fineGain: between(FINE_GAIN),
    coarseGain: between(COARSE_GAIN),
    core: CORE_STEP,
    most: between(MOST_CHANGE),
  };
  if (softness === 0) {
    sharpen(luma, side, side, { ...sharpening, strength });
    return luma;
  }
  sharpen(luma, side, side, { ...sharpening, strength: 1 });
  keepInRange(luma, raw, side, side, {
    reach: radius + 1,
    overshoot: OVERSHOOT,
    overshootShare: OVERSHOOT_SHARE,
    strength,
  });
  return luma;
}
