import { clamp } from '@guise/kernels/clamp.ts';
import { boxRadius } from '@guise/kernels/filter/box-blur.ts';
import { normalisedBlur } from '@guise/kernels/filter/normalised-blur.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { type Atlas, copyColours } from '../uv/atlas.ts';

/**
 * Light and tone of a face's skin: planes of `COARSE_SIDE` squared, in the atlas's luma and colour
 * differences.
 */
export interface Light {
  readonly luma: Float32Array;
  readonly blue: Float32Array;
  readonly red: Float32Array;
}

/**
 * Width of the local light, texels. Local light contains the shading of cheeks and nose, but no
 * wrinkle.
 */
const LOCAL_SIGMA_TEXELS = COARSE_SIDE / 9;
/** Least shade that is believed, as a logarithm: deeper shadows are mostly noise. */
const MIN_SHADE = -1;
/** Largest shade that is believed: another nose must not get the target's highlight. */
const MAX_SHADE = 0.12;
/** Width of the overall light, texels. */
const BROAD_SIGMA_TEXELS = COARSE_SIDE / 4;

/**
 * Measures a face's light: a blur of a coarse atlas over the texels that count, with the shade of a
 * lamp or the sun, whose edges a blur would lose.
 * @param shade coarse plane, see `Front.shade`
 */
export function skinLight(
  small: Atlas,
  weight: Float32Array,
  shade: Float32Array,
  make: PlaneMaker = ordinaryPlanes,
): Light {
  const factor = make.uninitialised(shade.length);
  for (let i = 0; i < factor.length; i++) factor[i] = Math.exp(clamp(shade[i]!, MIN_SHADE, MAX_SHADE));
  const light = copyColours(small, make);
  const planes = [light.luma, light.blue, light.red];
  for (const plane of planes) for (let i = 0; i < plane.length; i++) plane[i]! /= factor[i]!;
  blurWithin(light, weight, LOCAL_SIGMA_TEXELS);
  for (const plane of planes) for (let i = 0; i < plane.length; i++) plane[i]! *= factor[i]!;
  return light;
}

/** Returns the broad light, which has only the direction and tone of the light. */
export function broadLight(small: Atlas, weight: Float32Array, make: PlaneMaker): Light {
  const light = copyColours(small, make);
  blurWithin(light, weight, BROAD_SIGMA_TEXELS);
  return light;
}

/** Blurs a light over the texels that count, in place. */
function blurWithin({ luma, blue, red }: Light, weight: Float32Array, sigma: number): void {
  normalisedBlur([luma, blue, red], weight, COARSE_SIDE, COARSE_SIDE, boxRadius(sigma));
}

/** Mixes two lights: `from` at share 0, `to` at share 1. Returns new planes. */
export function mixLight(from: Light, to: Light, share: number, make: PlaneMaker): Light {
  return {
    luma: mixed(from.luma, to.luma, share, make),
    blue: mixed(from.blue, to.blue, share, make),
    red: mixed(from.red, to.red, share, make),
  };
}

function mixed(from: Float32Array, to: Float32Array, share: number, make: PlaneMaker): Float32Array {
  const out = make.uninitialised(from.length);
  for (let i = 0; i < out.length; i++) out[i] = from[i]! + share * (to[i]! - from[i]!);
  return out;
}
