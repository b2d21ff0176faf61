import { addEnlarged } from '@guise/kernels/face/relight.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { Atlas } from '../uv/atlas.ts';
import { shrinkColours } from '../uv/atlas.ts';
import type { Light } from '../skin/light.ts';
import { addLipTone } from './lip-tone.ts';
import { seamOffsets } from './seam.ts';
import { shadingOffsets } from './shading.ts';
import type { TargetFace } from '../target/target-face.ts';

/**
 * Matches the tone of the lit face to the target, in place: gives it the relief and colours of the
 * target's skin, and makes it meet the surrounding skin at the mask's edge. `light` is the light
 * with which the face was lit.
 * @param share 0..1: how far its relief follows @param lightened see `lightenedShare`
 * @param bound 0..1: how strictly the target limits its shades
 * @returns what was added to luma and colour differences, in planes of `COARSE_SIDE` squared
 */
export function matchTone(
  lit: Atlas,
  target: TargetFace,
  light: Light,
  share: number,
  lightened: number,
  layout: AtlasLayout,
  make: PlaneMaker = ordinaryPlanes,
  bound = lightened,
): readonly Float32Array[] {
  const coarseLayout = layout.at(COARSE_SIDE);
  const small = shrinkColours(lit, COARSE_SIDE, make);
  const shading = shadingOffsets(small, target, light, share, bound, coarseLayout, make);
  if (lightened > 0) addLipTone(shading, small, target, share * lightened, coarseLayout);
  for (const [k, plane] of [small.luma, small.blue, small.red].entries()) addTo(plane, shading[k]!);
  const offsets = seamOffsets(small, target, coarseLayout, make);
  for (const [k, plane] of [lit.luma, lit.blue, lit.red].entries()) {
    addTo(offsets[k]!, shading[k]!);
    addEnlarged(plane, offsets[k]!, layout.oval, COARSE_SIDE, layout.side);
  }
  return offsets;
}

function addTo(plane: Float32Array, other: Float32Array): void {
  for (let i = 0; i < plane.length; i++) plane[i]! += other[i]!;
}
