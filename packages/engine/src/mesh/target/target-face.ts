import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { enlargeSquare } from '@guise/kernels/scale/plane-scale.ts';
import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import type { Atlas } from '../uv/atlas.ts';
import { shrinkAtlas, unwrapFace } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { lipMasks } from '../uv/lip-masks.ts';
import { beardlessCore, COARSE_SIDE } from '../uv/atlas-layout.ts';
import { colourShare } from '../skin/colour-deviation.ts';
import type { Light } from '../skin/light.ts';
import { broadLight, skinLight } from '../skin/light.ts';
import { type Front, frontAt } from '../front/front.ts';
import { beardLength } from '../front/beard-length.ts';
import { beardCover, beardScore, scoresBearded } from '../front/beard.ts';
import { thinRims } from '../front/thin-rims.ts';
import type { Hand } from '../../face/geometry/hand.ts';
import { handsBefore } from '../hands/hands-before.ts';
import { matteForeground } from './matte-foreground.ts';
import { maxInPlace } from '@guise/kernels/filter/max-in-place.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import { isShine, relativeDarkness, notSkin } from '../skin/not-skin.ts';
import { fitSkin } from '../skin/skin-model.ts';
import { takeVeil, veilOf } from '../skin/veil.ts';

/** Measures of the face that a swap replaces. */
export interface TargetFace {
  readonly atlas: Atlas;
  /** Coarse atlas of the face, without the veil. */
  readonly small: Atlas;
  /** Light on the skin, without stubble, hair, glasses and the veil. */
  readonly light: Light;
  /** Direction and tone of `light` alone. */
  readonly broad: Light;
  /** Certainty that a coarse texel is bare skin that faces the camera, 0..1. */
  readonly skin: Float32Array;
  /**
   * Certainty like `skin`, but including stubble and shaded jaws, which the swapped face meets at
   * its edge.
   */
  readonly rim: Float32Array;
  /** Coverage by things in front of the face, which stay, 0..1, in the atlas's size. */
  readonly occluded: Float32Array;
  /** Coverage by frames of glasses alone, in the atlas's size. */
  readonly frames: Float32Array;
  /**
   * Coverage by the hairs of a beard, which stay too, in the atlas's size; null if there are none.
   * `occluded` does not include it, because a photo moves these hairs with the new mouth.
   */
  readonly beard: Float32Array | null;
  /** The beard that does not stay; null if there is none. */
  readonly shaved: ShavedBeard | null;
  /** Coverage by hands, which are not in `occluded`; null if there are none. */
  readonly hands: Float32Array | null;
  /** Coverage like `occluded`, but coarse, with hands and without glasses. */
  readonly front: Float32Array;
  /** Median luma of the cheeks and the bridge of the nose, without the veil. */
  readonly skinLuma: number;
  /** Luma that haze adds to the whole picture, see `veilOf`. */
  readonly veil: number;
  /** Share of colour: 0 is black and white, 1 is colour. */
  readonly colour: number;
}

/** A beard of the target that the swapped face does not have. */
export interface ShavedBeard {
  /** Coverage by it, 0..1, coarse. */
  readonly cover: Float32Array;
  /** See `beardLength`. A long one, of which the source's takes the place, is not hidden. */
  readonly length: number;
}

/**
 * Relative darkness. 0 at `from`: skin in a beard's zone is bare; 1 at `to`: it has stubble.
 * Outside that zone, darker skin is a cast shadow, which is light and stays.
 */
const STUBBLE_DARKNESS: Ramp = { from: 0.06, to: 0.26 };
/**
 * Share by which skin with stubble counts less. The throat has as much stubble: without stubble in
 * the light, the jaw would end like a mask. Measured: 0.97 was also further from the source.
 */
const STUBBLE_DISCOUNT = 0.4;
/** Share by which a foreign texel counts less, below 1 so that every area has some light. */
const FOREIGN_DISCOUNT = 0.99;
/** Coverage by a beard that goes. 0 at `from`: the texel does not count; 1 at `to`: it is skin. */
const BEARDLESS: Ramp = { from: 0.4, to: 0.02 };
/** Length by which the swapped face exceeds a beard that it hides, as a share of its height. */
const HIDING_MARGIN_SHARE = 0.01;
/** Smallest facing with which a texel counts. */
const MIN_FACING = 0.02;
/**
 * Share of things in front in a texel. 0 at `from`: the texel shows skin; 1 at `to`: it shows none.
 */
const OPAQUE_SHARE: Ramp = { from: 0.2, to: 0.7 };
/** Share of hair on a brow. 0 at `from`: it is the brow; 1 at `to`: hair lies over it. */
const SURE_HAIR: Ramp = { from: 0.6, to: 0.95 };
/**
 * Share of a frame in a texel. 0 at `from`: it is none; 1 at `to`: it is all frame. Thin rims fill
 * no texel, but stay whole.
 */
const FRAME_SHARE: Ramp = { from: 0.1, to: 0.45 };

/**
 * Measures the face that a swap replaces.
 * @param keepsBeard decides by a `beardScore`; a clip also uses earlier frames
 */
export function readTargetFace(
  layout: AtlasLayout,
  pyramid: ImagePyramid,
  landmarks: Float32Array,
  front: Front,
  make: PlaneMaker = ordinaryPlanes,
  keepsBeard: (score: number) => boolean = scoresBearded,
  hands: readonly Hand[] = [],
): TargetFace {
  const coarseLayout = layout.at(COARSE_SIDE);
  const atlas = unwrapFace(layout, pyramid, landmarks, make);
  const small = shrinkAtlas(atlas, COARSE_SIDE, make);
  const thin = thinRims(front, make);
  const foreground = hairOf(front, coarseLayout, make);
  maxInPlace(foreground, coverOf(front.shares.thing, OPAQUE_SHARE, coarseLayout, make));
  maxInPlace(foreground, framesOf(front, thin, coarseLayout, make));
  const model = fitSkin(small, without(beardlessCore(coarseLayout), foreground, make), make);
  const score = beardScore(front, small.facing, coarseLayout, make);
  const hasBeard = scoresBearded(score);
  const length = hasBeard ? beardLength(pyramid.image, landmarks) : Infinity;
  const isKept = keepsBeard(length === Infinity ? score : 0);
  const beard = isKept || hasBeard ? beardCover(front, coarseLayout, make) : null;
  const held = handsBefore(hands, landmarks, atlas, small, layout, make);
  const coveredFront = held || isKept ? make.copyOf(foreground) : foreground;
  if (beard && isKept) maxInPlace(coveredFront, without(beard, lipMasks(coarseLayout).withEdge, make));
  if (held) maxInPlace(coveredFront, held.coarse);
  const weight = make.floats(COARSE_SIDE * COARSE_SIDE);
  const rim = make.floats(COARSE_SIDE * COARSE_SIDE);
  weighSkin(small, coarseLayout, model, coveredFront, weight, rim);
  // The throat has as much of a thin beard.
  if (beard && !isKept && length > 0) for (const plane of [weight, rim]) leaveOut(plane, beard);
  const light = skinLight(small, weight, frontAt(front.shade, COARSE_SIDE, make), make);
  const occluded = matteForeground(atlas, small, layout, foreground, light, make);
  maxInPlace(occluded, frontAt(front.glare, layout.side, make));
  const frames = framesOf(front, thin, layout, make);
  maxInPlace(occluded, frames);
  const broad = broadLight(small, weight, make);
  const veil = veilOf(small, weight, coarseLayout).luma;
  if (veil > 0) for (const { luma } of [small, light, broad]) takeVeil(luma, veil);
  return {
    atlas,
    small,
    skin: weight,
    rim,
    light,
    broad,
    veil,
    occluded,
    frames,
    beard: beard && isKept ? hairOfBeard(beard, layout, make) : null,
    shaved: beard && !isKept ? { cover: beard, length } : null,
    hands: held && held.matte,
    front: coveredFront,
    skinLuma: model.median - veil,
    colour: colourShare(small, coarseLayout),
  };
}

/** Takes all weight from a beard that goes and from its soft edge, which would stain the skin. */
function leaveOut(weight: Float32Array, beard: Float32Array): void {
  for (let i = 0; i < weight.length; i++) weight[i]! *= ramp(BEARDLESS, beard[i]!);
}

/**
 * Returns the coverage by frames of glasses alone, in the layout's size.
 * @param thin see `thinRims`
 */
function framesOf(
  { shares: { frame } }: Front,
  thin: Float32Array | null,
  layout: RegionMasks,
  make: PlaneMaker,
): Float32Array {
  const frames = coverOf(frame, FRAME_SHARE, layout, make);
  if (!thin) return frames;
  const lines = frontAt(thin, layout.side, make);
  for (let i = 0; i < frames.length; i++) frames[i] = Math.max(frames[i]!, layout.oval[i]! * lines[i]!);
  return frames;
}

/** Computes the coverage of each texel of a layout, 0..1, by things with these shares. */
function coverOf(
  share: Float32Array,
  whole: Ramp,
  { side, oval }: RegionMasks,
  make: PlaneMaker,
): Float32Array {
  const covered = frontAt(share, side, make);
  for (let i = 0; i < covered.length; i++) covered[i] = oval[i]! * ramp(whole, covered[i]!);
  return covered;
}

/**
 * Returns the coverage by hair; on brows only by what is surely hair, as thick brows look like it.
 */
function hairOf(front: Front, { side, oval, browArea }: RegionMasks, make: PlaneMaker): Float32Array {
  const covered = frontAt(front.shares.hair, side, make);
  for (let i = 0; i < covered.length; i++) {
    const hair = covered[i]!;
    covered[i] = oval[i]! * ramp(OPAQUE_SHARE, hair);
    covered[i]! *= 1 - browArea[i]! * (1 - ramp(SURE_HAIR, hair));
  }
  return covered;
}

/** Leaves the lips out of a coarse beard, and enlarges it to the layout's size. */
function hairOfBeard(beard: Float32Array, layout: AtlasLayout, make: PlaneMaker): Float32Array {
  const { side } = layout;
  const enlarged = enlargeSquare(beard, COARSE_SIDE, side / COARSE_SIDE, make.uninitialised(side * side));
  return without(enlarged, lipMasks(layout).withEdge, make);
}

/**
 * Returns how far a shaved beard reaches that the swapped face has to hide, as a share of the
 * face's height, coarse; null if there is nothing to hide.
 */
export function hiddenBeard({ shaved }: Pick<TargetFace, 'shaved'>, make: PlaneMaker): Float32Array | null {
  if (!shaved || shaved.length === 0 || shaved.length === Infinity) return null;
  const reach = make.copyOf(shaved.cover);
  for (let i = 0; i < reach.length; i++) reach[i]! *= shaved.length + HIDING_MARGIN_SHARE;
  return reach;
}

/** Removes the covered part from a mask. */
export function without(mask: Float32Array, covered: Float32Array, make: PlaneMaker): Float32Array {
  const left = make.copyOf(mask);
  for (let i = 0; i < left.length; i++) left[i]! *= 1 - covered[i]!;
  return left;
}

/**
 * Writes the certainty that each coarse texel is bare skin that faces the camera: to `weight`
 * without its stubble, and to `rim` with it.
 */
function weighSkin(
  small: Atlas,
  { oval, features, holes, hairZone, glassesZone, beardZone }: RegionMasks,
  model: SkinModel,
  foreground: Float32Array,
  weight: Float32Array,
  rim: Float32Array,
): void {
  const { luma, blue, red, facing } = small;
  for (let i = 0; i < weight.length; i++) {
    const bare = oval[i]! * (1 - features[i]!) * (1 - holes[i]!);
    if (bare === 0) continue;
    const expected = model.luma[i]!;
    // The certainty that it is not this face's skin.
    const foreign = isShine(model, expected, luma[i]!, blue[i]!, red[i]!)
      ? 0
      : notSkin(model, expected, luma[i]!, blue[i]!, red[i]!, hairZone[i]!);
    // Unlike a shadow, a beard darkens only the beard's zone.
    const stubble = beardZone[i]! * ramp(STUBBLE_DARKNESS, relativeDarkness(expected, luma[i]!));
    const hair = Math.max(hairZone[i]!, glassesZone[i]!, beardZone[i]!) * foreign;
    const strands = Math.max(hairZone[i]! * (1 - beardZone[i]!), glassesZone[i]!) * foreign;
    const seen = bare * (1 - FOREIGN_DISCOUNT * foreground[i]!) * Math.max(MIN_FACING, facing[i]!);
    weight[i] = seen * (1 - STUBBLE_DISCOUNT * stubble) * (1 - Math.min(FOREIGN_DISCOUNT, hair));
    rim[i] = seen * (1 - Math.min(FOREIGN_DISCOUNT, strands));
  }
}
