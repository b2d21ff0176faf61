import type { FaceTrait } from '@guise/contract/work.ts';
import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import { type Face, longerSide } from '../../face/geometry/face.ts';
import type { Front } from '../front/front.ts';
import { areEyesHidden } from '../front/covered-eyes.ts';
import { colourDeviation } from '../skin/colour-deviation.ts';
import type { Atlas } from '../uv/atlas.ts';
import { shrinkAtlas, unwrapFace } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { isFaceCovered } from './covered-face.ts';
import { eyeOpening } from './eye-opening.ts';
import { resolvedPixels } from './resolved-pixels.ts';

/** Side of the atlas in which a face is reviewed. */
export const REVIEW_SIDE = 256;
/** Side of the atlas in which a face that looks blurred is measured again. */
const FINE_SIDE = 512;
/** Opening below which eyes are half shut; see `eyeOpening`. */
const HALF_SHUT_OPENING = 0.21;
/**
 * Deviation of the colours below which a photo is black and white, levels. Colour photos have at
 * least 8.
 */
const GREY_DEVIATION_LEVELS = 4;
/** Number of a face's pixels up to which the review's atlas shows its full sharpness. */
const SHARP_IN_REVIEW_PX = 90;
/** Largest number of pixels that a blurred face shows; see `resolvedPixels`. */
const BLURRED_PX = 150;
/**
 * Ratio of a blurred face's pixels to the pixels that it shows. Sharp photos have less than 2.4.
 */
const BLURRED_RATIO = 3;

/** Traits of a target that change a review; see `reviewTarget`. */
type TargetTrait = Extract<FaceTrait, 'covered' | 'black-and-white'>;

/**
 * Lists the traits that may harm a swap with this face. Each trait is decided once, from the photo
 * alone, so that a dry run and a receipt report the same.
 * @param layout of `REVIEW_SIDE`
 */
export function reviewFace(
  layout: AtlasLayout,
  pyramid: ImagePyramid,
  face: Face,
  front: Front,
): FaceTrait[] {
  using space = new Workspace();
  const coarse = layout.at(COARSE_SIDE);
  const atlas = unwrapFace(layout, pyramid, face.landmarks, space);
  const small = shrinkAtlas(atlas, COARSE_SIDE, space);
  const traits: FaceTrait[] = [];
  if (areEyesHidden(front, coarse, space)) traits.push('dark-glasses');
  if (eyeOpening(face.landmarks, face.pose.yaw) < HALF_SHUT_OPENING) traits.push('half-shut-eyes');
  if (isBlurred(atlas, layout, pyramid, face)) traits.push('blurred');
  return [...traits, ...targetTraits(small, coarse, front, space)];
}

/**
 * Lists the traits of a target that matter for warnings: those that make the swap worse, and those
 * that make the same trait of its source harmless.
 */
export function reviewTarget(
  layout: AtlasLayout,
  pyramid: ImagePyramid,
  face: Face,
  front: Front,
): TargetTrait[] {
  using space = new Workspace();
  const atlas = unwrapFace(layout, pyramid, face.landmarks, space);
  return targetTraits(shrinkAtlas(atlas, COARSE_SIDE, space), layout.at(COARSE_SIDE), front, space);
}

function targetTraits(small: Atlas, coarse: AtlasLayout, front: Front, space: Workspace): TargetTrait[] {
  const traits: TargetTrait[] = [];
  if (isFaceCovered(small, coarse, front, space)) traits.push('covered');
  if (colourDeviation(small, coarse) < GREY_DEVIATION_LEVELS) traits.push('black-and-white');
  return traits;
}

/** Returns whether a large face shows no more detail than a small one would. */
function isBlurred(
  atlas: Atlas,
  layout: AtlasLayout,
  pyramid: ImagePyramid,
  { box, landmarks }: Face,
): boolean {
  const facePixels = longerSide(box);
  if (facePixels < BLURRED_PX) return false;
  const seen = resolvedPixels(atlas, layout);
  if (seen > SHARP_IN_REVIEW_PX || facePixels <= BLURRED_RATIO * seen) return false;
  using space = new Workspace();
  const fineLayout = layout.at(FINE_SIDE);
  const resolved = resolvedPixels(unwrapFace(fineLayout, pyramid, landmarks, space), fineLayout);
  return resolved < BLURRED_PX && facePixels > BLURRED_RATIO * resolved;
}
