import type { FaceTrait } from '@guise/contract/work.ts';
import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import type { Face } from '../../face/geometry/face.ts';
import type { Hand } from '../../face/geometry/hand.ts';
import { keepGlasses } from '../glasses/kept-glasses.ts';
import { wornGlasses } from '../glasses/worn-glasses.ts';
import { colourDeviation } from '../skin/colour-deviation.ts';
import { fitSkin } from '../skin/skin-model.ts';
import { findForeground } from '../target/occluders.ts';
import type { Atlas } from '../uv/atlas.ts';
import { shrinkAtlas, unwrapFace } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { beardlessCore, COARSE_SIDE } from '../uv/atlas-layout.ts';
import { isFaceCovered } from './covered-face.ts';
import { coveredForehead, isForeheadOdd } from './covered-forehead.ts';
import { eyeOpening } from './eye-opening.ts';
import { hasFullBeard } from './full-beard.ts';
import { mouthOpening } from './mouth-opening.ts';
import { resolvedPixels } from './resolved-pixels.ts';

/** Side of the atlas in which a face is reviewed. */
export const REVIEW_SIDE = 256;
/** Side of the atlas in which a face that seems blurred is looked at again. */
const FINE_SIDE = 512;
/** Opening of the eyes below which they are half shut; see `eyeOpening`. */
const HALF_SHUT_OPENING = 0.21;
/** Opening of the mouth above which it shows teeth or its inside; see `mouthOpening`. */
const OPEN_MOUTH_OPENING = 0.15;
/** Share of the forehead above which a fringe or a hat covers it; locks beside it reach 0.25. */
const COVERED_FOREHEAD_SHARE = 0.35;
/** Deviation of the colours below which a photo is black and white, levels; colour starts at 8. */
const GREY_DEVIATION_LEVELS = 4;
/** Pixels of a face that the review's atlas shows as sharp as it can. */
const SHARP_IN_REVIEW_PX = 90;
/** Pixels that a blurred face shows at most; see `resolvedPixels`. */
const BLURRED_PX = 150;
/** Pixels of a blurred face for each one that it shows: sharp photos have less than 2.4. */
const BLURRED_RATIO = 3;

/** Traits of a target that matter; see `reviewTarget`. */
type TargetTrait = Extract<FaceTrait, 'covered' | 'open-mouth' | 'full-beard' | 'black-and-white'>;

/**
 * Lists what a swap with this face has to reckon with. Each trait is one decision, and measured on
 * the photo alone, so that a dry run and a receipt say the same.
 * @param layout of `REVIEW_SIDE`
 */
export function reviewFace(
  layout: AtlasLayout,
  pyramid: ImagePyramid,
  face: Face,
  hands: readonly Hand[],
): FaceTrait[] {
  using space = new Workspace();
  const coarse = layout.at(COARSE_SIDE);
  const atlas = unwrapFace(layout, pyramid, face.landmarks, space);
  const small = shrinkAtlas(atlas, COARSE_SIDE, space);
  const model = fitSkin(small, beardlessCore(coarse), space);
  const { isWorn } = wornGlasses(atlas, space);
  const isForeheadCovered = (rims: Float32Array | null): boolean => {
    const foreground = findForeground(small, coarse, model, rims, null, space);
    return coveredForehead(small, foreground, coarse) > COVERED_FOREHEAD_SHARE;
  };
  // Rims are traced only where they may be what covers it: that takes four times as long.
  const hidesForehead =
    isForeheadOdd(small, model, coarse) &&
    isForeheadCovered(null) &&
    (!isWorn || isForeheadCovered(keepGlasses(atlas, layout.at, model).rims));
  const traits: FaceTrait[] = [];
  if (isWorn) traits.push('glasses');
  if (hidesForehead) traits.push('covered-forehead');
  if (eyeOpening(face.landmarks, face.pose.yaw) < HALF_SHUT_OPENING) traits.push('half-shut-eyes');
  if (isBlurred(atlas, layout, pyramid, face)) traits.push('blurred');
  return [...traits, ...targetTraits(small, coarse, face, hands, space)];
}

/**
 * Lists those traits of a target that matter, as they harm or excuse the same trait of its source,
 * as `reviewFace` does, for a quarter of its time.
 */
export function reviewTarget(
  layout: AtlasLayout,
  pyramid: ImagePyramid,
  face: Face,
  hands: readonly Hand[],
): TargetTrait[] {
  using space = new Workspace();
  const atlas = unwrapFace(layout, pyramid, face.landmarks, space);
  return targetTraits(shrinkAtlas(atlas, COARSE_SIDE, space), layout.at(COARSE_SIDE), face, hands, space);
}

function targetTraits(
  small: Atlas,
  coarse: AtlasLayout,
  { landmarks }: Face,
  hands: readonly Hand[],
  space: Workspace,
): TargetTrait[] {
  const traits: TargetTrait[] = [];
  if (isFaceCovered(small, coarse, landmarks, hands, space)) traits.push('covered');
  if (mouthOpening(landmarks) > OPEN_MOUTH_OPENING) traits.push('open-mouth');
  if (hasFullBeard(small, coarse)) traits.push('full-beard');
  if (colourDeviation(small, coarse) < GREY_DEVIATION_LEVELS) traits.push('black-and-white');
  return traits;
}

/** Tells whether a large face shows no more than a small one would. */
function isBlurred(
  atlas: Atlas,
  layout: AtlasLayout,
  pyramid: ImagePyramid,
  { box, landmarks }: Face,
): boolean {
  const facePixels = Math.max(box.width, box.height);
  if (facePixels < BLURRED_PX) return false;
  const seen = resolvedPixels(atlas, layout);
  if (seen > SHARP_IN_REVIEW_PX || facePixels <= BLURRED_RATIO * seen) return false;
  using space = new Workspace();
  const fineLayout = layout.at(FINE_SIDE);
  const resolved = resolvedPixels(unwrapFace(fineLayout, pyramid, landmarks, space), fineLayout);
  return resolved < BLURRED_PX && facePixels > BLURRED_RATIO * resolved;
}
