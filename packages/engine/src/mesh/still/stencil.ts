import { maxInPlace } from '@guise/kernels/filter/max-in-place.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import { allowanceOf, type Stencil } from '../draw/allowance.ts';
import { inRegion, regionOf } from '../draw/composite.ts';
import { readTargetFace } from '../target/target-face.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import type { StillSwap } from './swap-face.ts';

/**
 * Finds which pixels of a photo another swapper may change: those of the face, without the things
 * in front of it.
 */
export function stencilOf(
  layout: AtlasLayout,
  { pyramid, face, front, hands }: Pick<StillSwap, 'pyramid' | 'face' | 'front' | 'hands'>,
): Stencil {
  using space = new Workspace();
  const { landmarks } = face;
  const target = readTargetFace(layout, pyramid, landmarks, front, space, () => false, hands);
  if (target.hands) maxInPlace(target.occluded, target.hands);
  const area = regionOf(landmarks, pyramid.image.width, pyramid.image.height);
  if (area.width <= 0 || area.height <= 0) return { ...area, allowance: new Float32Array() };
  return { ...area, allowance: allowanceOf(inRegion(landmarks, area), layout, area, target.occluded) };
}
