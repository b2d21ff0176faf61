import type { RgbImage } from '@guise/kernels/image.ts';
import type { PlaneMaker, Workspace } from '@guise/kernels/workspace.ts';
import { compositeFace, type FaceTexture } from '../draw/composite.ts';
import { shareBehindLenses } from '../front/covered-eyes.ts';
import type { Front } from '../front/front.ts';
import { angleBetween } from '../shape/glasses-mesh.ts';
import { type Glasses, throughLenses } from '../source/glasses.ts';
import {
  beforeGlasses,
  inLightOf,
  OWN_GLASSES_SHARE,
  placeGlasses,
  rimTexels,
} from '../source/fit-glasses.ts';
import type { SourceFace } from '../source/source-face.ts';
import { wholeGlasses } from '../source/whole-glasses.ts';
import type { TargetFace } from '../target/target-face.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { packFace } from './texture-face.ts';

/** Largest angle between source and target at which the glasses look right, degrees. */
const MAX_TURN_DEGREES = 28;
/**
 * Puts a source's glasses on, or takes them off for good: if they suit, its face is the one that is
 * seen through their lenses; else it has no glasses.
 * @param landmarks of the target @param front things in front of it
 */
export function wearing(
  source: SourceFace,
  landmarks: Float32Array,
  front: Front,
  coarseLayout: AtlasLayout,
  make: PlaneMaker,
): SourceFace {
  const { glasses } = source;
  if (!glasses) return source;
  const isWorn =
    shareBehindLenses(front, coarseLayout, make) < OWN_GLASSES_SHARE &&
    angleBetween(glasses.landmarks, landmarks) <= MAX_TURN_DEGREES;
  return isWorn ? { ...source, atlas: throughLenses(source.atlas, glasses) } : { ...source, glasses: null };
}

/**
 * Draws glasses over a swapped face, in the target's light.
 * @param swapped picture with the face, which is changed
 * @param mesh that the face was drawn with
 * @param texture the face's, whose grain and softness they get
 */
export function drawGlasses(
  swapped: RgbImage,
  glasses: Glasses,
  target: TargetFace,
  front: Front,
  mesh: Float32Array,
  texture: FaceTexture,
  layout: AtlasLayout,
  space: Workspace,
): void {
  const before = beforeGlasses(glasses, target.occluded, front, layout, space);
  const opaque = space.uninitialised(layout.side ** 2).fill(1);
  for (const part of wholeGlasses(glasses, layout)) {
    const lit = inLightOf(part, rimTexels(part, space), target, layout, space);
    const rgba = packFace(lit, opaque, layout, space);
    const hidden = space.copyOf(before);
    for (let i = 0; i < hidden.length; i++) hidden[i] = 1 - part.rims[i]! * (1 - hidden[i]!);
    const placed = placeGlasses(part, mesh, layout);
    const drawn = { ...texture, rgba, occluded: hidden };
    compositeFace(swapped, layout, drawn, placed, placed, space, swapped.data);
  }
}
