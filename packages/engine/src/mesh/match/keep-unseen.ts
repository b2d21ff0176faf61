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
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE, perLayout } from '../uv/atlas-layout.ts';
import { ZONES, zonePlane } from '../uv/zones.ts';

/**
 * How well the source shows a place, relative to the target. 0 at `from`: the swapped skin shows; 1
 * at `to`: the target's own skin stays. Texture that is shown less than half as wide looks blurred.
 */
const SHOWN_SHARE: Ramp = { from: 0.5, to: 0.25 };
/** Smallest facing of the target by which `shown` is divided. */
const MIN_FACING = 0.05;
/** Share below which nothing is kept, because triangles without kept texels are drawn faster. */
const MIN_KEPT_SHARE = 0.02;
/**
 * Radius of the seam between swapped face and kept skin, coarse texels. The blur is applied twice.
 */
const SEAM_RADIUS_TEXELS = 2;
/**
 * Radius around brows, lids and lips in which no skin is kept, coarse texels. The blur is applied
 * twice. The target's brow often extends beyond the mesh's, and half a brow must not stay.
 */
const FEATURE_RADIUS_TEXELS = 4;
/** Share of features around a texel. 0 at `from`: no skin is kept; 1 at `to`: skin may be kept. */
const NEAR_FEATURE: Ramp = { from: 0.25, to: 0.05 };

/** Box radius of a beard's lower edge, coarse texels; applied twice. */
const BEARD_EDGE_TEXELS = 3;
/** Blurred oval. 0 at `from`: hairs hide the neck; 1 at `to`, at the outline: the neck shows. */
const BEARD_EDGE: Ramp = { from: 0.95, to: 0.5 };

/** Places of a face that a source shows; see `SourceFace`. */
interface ShownPlaces {
  /** How well each place is shown, as a coarse plane. */
  readonly shown: Float32Array;
  /**
   * The beard of the swapped face, with the share of each coarse texel in which its hairs hide the
   * skin; null for none.
   */
  readonly beard: { readonly hides: Float32Array } | null;
  /** Whether both eyes were guessed behind glasses. */
  readonly hasDoubtfulEyes: boolean;
}

/** Where the target looks, and the beard that it loses. */
type SeenTarget = Pick<TargetFace, 'shaved'> & { readonly small: Pick<Atlas, 'facing'> };

/**
 * Measures the share of the target's own face that stays, 0..1 in a coarse plane. Skin at the sides
 * and on the forehead stays where the source's photo shows it badly or not at all. A profile keeps
 * more (see `profileShare`). If the source's eyes are guessed, the target's eyes stay with their
 * lids and the skin around them. No skin of the target shows in a beard, and
 * nothing of a beard that goes.
 */
export function unseenShare(
  { shown, beard, hasDoubtfulEyes }: ShownPlaces,
  { small: { facing }, shaved }: SeenTarget,
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
  const edge = beardEdge(coarseLayout);
  for (const hidden of [beard?.hides, shaved?.cover])
    if (hidden) for (let i = 0; i < kept.length; i++) kept[i]! += hidden[i]! * (edge[i]! - kept[i]!);
  if (hasDoubtfulEyes) maxInPlace(kept, eyeArea(coarseLayout));
  return kept;
}

/**
 * Keeps the skin that is `kept` (coarse) unmoved, like things in front of the face. The swapped
 * face blends into the kept skin, but not into the colours of a brow next to it.
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

/** Share of the target's neck that shows between the last hairs of a beard. */
const beardEdge = perLayout(({ oval }: RegionMasks): Float32Array => {
  const inside = oval.slice();
  boxBlur(inside, COARSE_SIDE, COARSE_SIDE, BEARD_EDGE_TEXELS, 2);
  const below = zonePlane(COARSE_SIDE, ZONES.throat);
  return inside.map((share, i) => below[i]! * ramp(BEARD_EDGE, share));
});

/** Zone in which the target's skin may stay. */
const keptZone = perLayout(({ oval, features, browArea, centre }: RegionMasks): Float32Array => {
  const near = features.map((feature, i) => Math.max(feature, browArea[i]!));
  boxBlur(near, COARSE_SIDE, COARSE_SIDE, FEATURE_RADIUS_TEXELS, 2);
  return near.map((feature, i) => oval[i]! * (1 - centre[i]!) * ramp(NEAR_FEATURE, feature));
});
