import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { addEnlarged } from '@guise/kernels/face/relight.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { shrinkSquare } from '@guise/kernels/scale/plane-scale.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { glossShare } from '../skin/gloss-share.ts';
import type { TargetFace } from '../target/target-face.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { Atlas } from '../uv/atlas.ts';
import { shrinkAtlas } from '../uv/atlas.ts';
import { DARK_FLOOR_LUMA } from './compose.ts';

/** Texels of a coarse plane. */
const TEXEL_COUNT = COARSE_SIDE * COARSE_SIDE;
/**
 * Height of the brightest relief, as a share of the light. 0 at `from`: the light is soft; 1 at
 * `to`: it is hard sun. Shine of lamps and flashes stays below 0.45.
 */
const HARD_LIGHT_PEAK: Ramp = { from: 0.45, to: 0.65 };
/** Share of a glossy skin's relief to keep, because a face without relief looks flat and matt. */
const GLOSSY_SHARE = 0.5;
/**
 * Certainty of the target's skin. 0 at `from`: its relief is ignored; 1 at `to`: it counts fully.
 */
const SURE_SKIN: Ramp = { from: 0.1, to: 0.4 };
/** Share of the target's relief that a face copies. The rest is the person's own. */
const RELIEF_SHARE = 0.8;
/** Radius of the box blur between relief and features, coarse texels. The blur is applied twice. */
const SEAM_RADIUS_TEXELS = 1;

/** Reflection of light by a target's skin. */
interface Shine {
  /**
   * Share of the target's shadows and highlights to keep on the swapped face, 0..1: all in hard
   * sun, because smooth light lacks the sharp edges of its shadows, and half on glossy skin.
   */
  readonly kept: number;
  /** Share of the skin's visible light that is reflection, 0..1, see `glossShare`. */
  readonly gloss: number;
}

/** Measures the shine of a target's bare skin. */
export function shineOf(
  target: Pick<TargetFace, 'small' | 'light' | 'skin' | 'occluded'>,
  layout: AtlasLayout,
  make: PlaneMaker,
): Shine {
  const { small, light } = target;
  const weight = weighSkin(target, layout, make);
  let [squares, fourths] = [1e-6, 0];
  for (let i = 0; i < TEXEL_COUNT; i++) {
    const relief = (small.luma[i]! - light.luma[i]!) / (light.luma[i]! + DARK_FLOOR_LUMA);
    // A blurred weight can be a little below 0.
    if (weight[i]! <= 0 || relief <= 0) continue;
    squares += weight[i]! * relief * relief;
    fourths += weight[i]! * relief ** 4;
  }
  const gloss = glossShare(small, light, weight);
  const hardLight = ramp(HARD_LIGHT_PEAK, Math.sqrt(fourths / squares));
  return { kept: Math.max(hardLight, GLOSSY_SHARE * gloss), gloss };
}

/**
 * Copies the target's shadows and highlights to the skin of the lit face, in place, where the
 * target's skin is visible. The source's are replaced, because there is only one sun.
 * @param share 0..1, see `shineOf`; at 0 no bit changes
 */
export function matchHardLight(
  lit: Atlas,
  target: Pick<TargetFace, 'small' | 'skin' | 'occluded' | 'veil'>,
  share: number,
  layout: AtlasLayout,
  make: PlaneMaker,
): void {
  if (share === 0) return;
  const small = shrinkAtlas(lit, COARSE_SIDE, make);
  const weight = weighSkin(target, layout, make);
  const wanted = target.small;
  for (let i = 0; i < TEXEL_COUNT; i++) {
    const taken = share * RELIEF_SHARE * weight[i]!;
    small.luma[i] = taken * (wanted.luma[i]! + target.veil - small.luma[i]!);
    small.blue[i] = taken * (wanted.blue[i]! - small.blue[i]!);
    small.red[i] = taken * (wanted.red[i]! - small.red[i]!);
  }
  addEnlarged(lit.luma, small.luma, layout.oval, COARSE_SIDE, layout.side);
  addEnlarged(lit.blue, small.blue, layout.oval, COARSE_SIDE, layout.side);
  addEnlarged(lit.red, small.red, layout.oval, COARSE_SIDE, layout.side);
}

/** Weights bare skin of the target: 0 on features, beards and things in front. */
function weighSkin(
  { skin, occluded }: Pick<TargetFace, 'skin' | 'occluded'>,
  layout: AtlasLayout,
  make: PlaneMaker,
): Float32Array {
  const { features, holes, beardZone, oval } = layout.at(COARSE_SIDE);
  const covered = shrinkSquare(occluded, layout.side, COARSE_SIDE, make.uninitialised(TEXEL_COUNT));
  const weight = make.uninitialised(TEXEL_COUNT);
  for (let i = 0; i < TEXEL_COUNT; i++)
    weight[i] =
      oval[i]! *
      ramp(SURE_SKIN, skin[i]!) *
      (1 - covered[i]!) *
      (1 - beardZone[i]!) *
      (1 - Math.min(1, features[i]! + holes[i]!));
  boxBlur(weight, COARSE_SIDE, COARSE_SIDE, SEAM_RADIUS_TEXELS, 2);
  return weight;
}
