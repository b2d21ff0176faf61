import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import type { MatteShares } from '@guise/kernels/face/matte.ts';
import { matte } from '@guise/kernels/face/matte.ts';
import { normalisedBlur } from '@guise/kernels/filter/normalised-blur.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { type Atlas, copyColours } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { Light } from '../skin/light.ts';

/**
 * Radius around things in front in which strands are searched, coarse texels. The blur is applied
 * twice.
 */
const NEAR_TEXELS = 2;
/** Limits by which the colours around an edge are distinguished. */
const MATTE: MatteShares = {
  nearOnset: 0.02,
  nearFull: 0.3,
  deepOnset: 0.75,
  mixed: 0.25,
  pure: 0.7,
  colourWeight: 1.5,
  // Luma steps.
  leastContrast: 12,
};

/**
 * Measures how much of each texel of the full atlas is in front of the face, 0..1. Deep inside
 * `foreground`, texels are in front completely. At its edge, their colour between that of `light`
 * and that of the things in front decides.
 */
export function matteForeground(
  atlas: Atlas,
  small: Atlas,
  layout: AtlasLayout,
  foreground: Float32Array,
  light: Light,
  make: PlaneMaker = ordinaryPlanes,
): Float32Array {
  const { side } = atlas;
  const near = make.copyOf(foreground);
  boxBlur(near, COARSE_SIDE, COARSE_SIDE, NEAR_TEXELS, 2);
  if (!reaches(near, MATTE.nearOnset)) return make.floats(side * side);
  const front = copyColours(small, make);
  normalisedBlur([front.luma, front.blue, front.red], foreground, COARSE_SIDE, COARSE_SIDE, NEAR_TEXELS);
  const out = make.uninitialised(side * side);
  matte(atlas, near, front, light, { smallSide: COARSE_SIDE, side, mask: layout.oval }, MATTE, out);
  return out;
}

/** Returns whether any value is above this one. */
function reaches(values: Float32Array, least: number): boolean {
  for (let i = 0; i < values.length; i++) if (values[i]! > least) return true;
  return false;
}
