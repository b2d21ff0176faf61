import { maxInPlace } from '@guise/kernels/filter/max-in-place.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import type { Hand } from '../../face/geometry/hand.ts';
import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { allowanceOf, type Stencil } from '../draw/allowance.ts';
import { inRegion, regionOf } from '../draw/composite.ts';
import type { Front } from '../front/front.ts';
import { readTargetFace } from '../target/target-face.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';

/** Share of this frame in the coverage of a clip's face; the rest is that of earlier frames. */
const EASE = 0.5;

/** A face that another swapper draws. */
export interface FaceToStencil {
  readonly pyramid: ImagePyramid;
  /** 478 x (x, y, z), pixels. */
  readonly landmarks: Float32Array;
  /** Things in front of the face. */
  readonly front: Front;
  readonly hands: readonly Hand[];
}

/**
 * Finds the things in front of a face.
 * @param before coverage in an earlier frame of a clip, which flickers less if it is mixed in
 * @returns the share of each texel that they cover, 0..1
 */
export function occludersOf(
  layout: AtlasLayout,
  { pyramid, landmarks, front, hands }: FaceToStencil,
  before: Float32Array | null = null,
): Float32Array {
  using space = new Workspace();
  const target = readTargetFace(layout, pyramid, landmarks, front, space, () => false, hands);
  const occluded = target.occluded.slice();
  if (target.hands) maxInPlace(occluded, target.hands);
  if (before)
    for (let i = 0; i < occluded.length; i++) occluded[i]! += (1 - EASE) * (before[i]! - occluded[i]!);
  return occluded;
}

/**
 * Finds which pixels of a picture another swapper may change: those of the face, without the things
 * in front of it.
 * @param occluded see `occludersOf`
 */
export function stencilOf(
  layout: AtlasLayout,
  { pyramid, landmarks }: Pick<FaceToStencil, 'pyramid' | 'landmarks'>,
  occluded: Float32Array,
): Stencil {
  const area = regionOf(landmarks, pyramid.image.width, pyramid.image.height);
  if (area.width <= 0 || area.height <= 0) return { ...area, allowance: new Float32Array() };
  return { ...area, allowance: allowanceOf(inRegion(landmarks, area), layout, area, occluded) };
}
