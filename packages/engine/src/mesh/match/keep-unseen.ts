import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { enlargeSquare } from '@guise/kernels/scale/plane-scale.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { profileShare } from './profile-share.ts';
import { eyeArea } from '../uv/eye-area.ts';
import { maxInPlace } from '@guise/kernels/filter/max-in-place.ts';
import type { TargetFace } from '../target/target-face.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE, perLayout } from '../uv/atlas-layout.ts';

/**
 * How well the source shows a place, as a share of how well the target does, below which the
 * target's own skin stays: shown less than half as wide, a texture looks blurred beside it.
 */
const SHOWN_SHARE: Ramp = { from: 0.5, to: 0.25 };
/** Facing of the target that a share is taken of at least. */
const MIN_FACING = 0.05;
/** Share below which nothing is kept: triangles without any are drawn faster. */
const MIN_KEPT_SHARE = 0.02;
/** Radius of the seam between the swapped face and what is kept, coarse texels; applied twice. */
const SEAM_RADIUS_TEXELS = 2;
/**
 * Radius of the surroundings in which no skin is kept beside brows, lids and lips, coarse texels;
 * applied twice. A target's brow often goes on beyond the mesh's, and half of it must not stay.
 */
const FEATURE_RADIUS_TEXELS = 4;
/** Share of features in those surroundings over which no skin is kept. */
const NEAR_FEATURE: Ramp = { from: 0.25, to: 0.05 };

/** What a source shows of its face; see `SourceFace`. */
interface ShownPlaces {
  /** Coarse: how well each place is shown. */
  readonly shown: Float32Array;
  /** Whether both eyes are a guess, found behind glasses. */
  readonly hasDoubtfulEyes: boolean;
}

/**
 * Measures how much of the target's own face stays, 0..1 in a coarse plane: skin that the source's
 * photo does not show, or only as a sliver, beside the face and on the forehead, and what a profile
 * keeps (see `profileShare`).
 * Where its eyes are doubtful, the target's stay with lids and the skin around them.
 * @param facing of the target, coarse
 */
export function unseenShare(
  { shown, hasDoubtfulEyes }: ShownPlaces,
  facing: Float32Array,
  coarseLayout: RegionMasks,
  make: PlaneMaker,
): Float32Array {
  const zone = keptZone(coarseLayout);
  const kept = profileShare(facing, coarseLayout, make);
  for (let i = 0; i < kept.length; i++) {
    if (zone[i] === 0) continue;
    const unseen = zone[i]! * ramp(SHOWN_SHARE, shown[i]! / Math.max(MIN_FACING, facing[i]!));
    if (unseen > kept[i]!) kept[i] = unseen;
  }
  boxBlur(kept, COARSE_SIDE, COARSE_SIDE, SEAM_RADIUS_TEXELS, 2);
  for (let i = 0; i < kept.length; i++) if (kept[i]! < MIN_KEPT_SHARE) kept[i] = 0;
  if (hasDoubtfulEyes) maxInPlace(kept, eyeArea(coarseLayout));
  return kept;
}

/**
 * Makes the skin that is `kept` (coarse) stay as what lies in front does: unmoved. The swapped face
 * meets it there, but not the colours of a brow beside it.
 */
export function keepSkin(
  target: TargetFace,
  kept: Float32Array,
  layout: AtlasLayout,
  make: PlaneMaker,
): TargetFace {
  const { side } = layout;
  const occluded = enlargeSquare(kept, COARSE_SIDE, side / COARSE_SIDE, make.uninitialised(side * side));
  maxInPlace(occluded, target.occluded);
  const front = make.copyOf(kept);
  maxInPlace(front, target.front);
  const rim = make.copyOf(target.rim);
  const { browArea } = layout.at(COARSE_SIDE);
  for (let i = 0; i < rim.length; i++) rim[i]! *= 1 - browArea[i]!;
  return { ...target, front, rim, occluded };
}

/** Where skin may stay. */
const keptZone = perLayout(({ oval, features, browArea, centre }: RegionMasks): Float32Array => {
  const near = features.map((feature, i) => Math.max(feature, browArea[i]!));
  boxBlur(near, COARSE_SIDE, COARSE_SIDE, FEATURE_RADIUS_TEXELS, 2);
  return near.map((feature, i) => oval[i]! * (1 - centre[i]!) * ramp(NEAR_FEATURE, feature));
});
