import { boxBlur, boxRadius } from '@guise/kernels/filter/box-blur.ts';
import { enlargeSquare, shrinkSquare } from '@guise/kernels/scale/plane-scale.ts';
import { pushPull } from '@guise/kernels/filter/push-pull.ts';
import { mixEnlarged } from '@guise/kernels/face/relight.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import { type Front, FRONT_SIDE, frontAt, OPAQUE_KINDS, shareOf } from '../front/front.ts';
import { areEyesHidden } from '../front/covered-eyes.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import type { Atlas } from '../uv/atlas.ts';
import { shrinkAtlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { beardlessCore, COARSE_SIDE, perLayout } from '../uv/atlas-layout.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import { fitSkin } from '../skin/skin-model.ts';
import { farFromFeatures } from '../uv/bare-skin.ts';
import { mirrorTexel } from '../uv/texel.ts';
import { ZONES, zonePlane } from '../uv/zones.ts';
import { clamp } from '@guise/kernels/clamp.ts';
import { learnedZones, type Planes } from './uncover.ts';

/** Share of the mirrored side's finer detail to add to a filled place. */
const MIRRORED_DETAIL_SHARE = 0.8;
/** Largest such detail, as a share of the luma: pores and wrinkles, no edges of other things. */
const MAX_DETAIL_SHARE = 0.06;
/** Share of the shading model in the luma of a filled place; its neighbours give the rest. */
const MODEL_SHARE = 0.4;
/** Distance by which a fill exceeds the thing found, in sides of the atlas: strands end softly. */
const GROWTH_SIDES = 1 / 34;
/** Blurred coverage. 0 at `from`: the grown area begins; 1 at `to`: it is full. */
const GROWN: Ramp = { from: 0.08, to: 0.4 };
/** Box radius of the edge between the source and places that the target fills, coarse texels. */
const LOST_EDGE_TEXELS = 2;
/**
 * Share of things over a place and its mirror image. 0 at `from`: the place is seen; 1 at `to`: it
 * is lost.
 */
const LOST_SHARE: Ramp = { from: 0.4, to: 0.8 };

/** Results of cleaning a source's atlas. */
export interface Cleaning {
  /** Share of each coarse texel that was not changed, 0..1. */
  readonly kept: Float32Array;
  /**
   * Share of each coarse texel that is the person's, 0..1: seen, or learned below the forehead. A
   * forehead behind a fringe identifies nobody.
   */
  readonly shown: Float32Array;
  /** Luma of bare skin by the shading model, coarse. */
  readonly skinLuma: Float32Array;
  /** Share of each coarse texel that a thing hides and the other side does not show; null: none. */
  readonly lost: Float32Array | null;
  /** Whether so much of both eyes is hidden that they were guessed. */
  readonly hasDoubtfulEyes: boolean;
}

/**
 * Fills, in place, the things in front of a source where the network has not learned bare faces.
 * The fill continues the clean skin around, with the mirrored side's detail if that is clean.
 * @param replaced share of each texel that `uncover` has replaced
 */
export function cleanSource(
  atlas: Atlas,
  layout: AtlasLayout,
  front: Front,
  replaced: Float32Array,
): Cleaning {
  using space = new Workspace();
  const { side } = atlas;
  const coarseLayout = layout.at(COARSE_SIDE);
  const maskLayout = layout.at(Math.min(side, FRONT_SIDE));
  const mid = shrinkAtlas(atlas, maskLayout.side, space);
  const model = fitSkin(shrinkAtlas(mid, COARSE_SIDE, space), beardlessCore(coarseLayout), space);
  const foreign = beyondLearned(front, maskLayout, space);
  const skin = smoothFill(space, mid, maskLayout, foreign, model);
  for (const [k, plane] of [atlas.luma, atlas.blue, atlas.red].entries())
    mixEnlarged(plane, skin[k]!, foreign, maskLayout.side, side);
  mirrorDetail(space, atlas, layout, foreign, bareFar(maskLayout));
  const shown = shrinkSquare(foreign, maskLayout.side, COARSE_SIDE);
  const learned = shrinkSquare(replaced, maskLayout.side, COARSE_SIDE);
  const fringe = fringeOf(front, coarseLayout, space);
  for (let i = 0; i < shown.length; i++) shown[i] = 1 - Math.max(shown[i]!, fringe[i]! * learned[i]!);
  return {
    kept: shown.map((share, i) => Math.min(share, 1 - learned[i]!)),
    shown,
    skinLuma: model.luma.slice(),
    lost: lostOf(front, coarseLayout, space),
    hasDoubtfulEyes: areEyesHidden(front, coarseLayout, space),
  };
}

/** Zones that depend on the layout alone. */
const zonesOf = perLayout((layout: RegionMasks) => {
  const { beyond } = learnedZones(layout);
  return {
    /** Hair, ears and background as often as skin, which identify nobody: always filled. */
    sides: zonePlane(layout.side, ZONES.sides).map((share, i) => share * layout.oval[i]!),
    /** Skin that the network has not learned. */
    beyond: beyond.map((share, i) => share * (1 - layout.features[i]!)),
    /** Skin above the eyes. */
    aboveEyes: zonePlane(layout.side, ZONES.aboveEyes).map((share, i) => share * (1 - layout.features[i]!)),
  };
});

/** Draws the sides, and things in front where the network does not know the face behind: 0..1. */
function beyondLearned(front: Front, layout: AtlasLayout, make: PlaneMaker): Float32Array {
  const { side } = layout;
  const { sides, beyond } = zonesOf(layout);
  const covered = frontAt(shareOf(front, OPAQUE_KINDS, make), side, make);
  const filled = make.uninitialised(covered.length);
  for (let i = 0; i < filled.length; i++) filled[i] = Math.max(sides[i]!, beyond[i]! * covered[i]!);
  boxBlur(filled, side, side, Math.max(1, boxRadius(GROWTH_SIDES * side)), 2);
  for (let i = 0; i < filled.length; i++)
    filled[i] = Math.max(sides[i]!, beyond[i]! * ramp(GROWN, filled[i]!));
  return filled;
}

/** Draws the skin above the eyes that hair hides, 0..1. */
function fringeOf(front: Front, layout: AtlasLayout, make: PlaneMaker): Float32Array {
  const { aboveEyes } = zonesOf(layout);
  const fringe = frontAt(front.shares.hair, COARSE_SIDE, make);
  boxBlur(fringe, COARSE_SIDE, COARSE_SIDE, boxRadius(GROWTH_SIDES * COARSE_SIDE), 2);
  for (let i = 0; i < fringe.length; i++) fringe[i] = aboveEyes[i]! * ramp(GROWN, fringe[i]!);
  return fringe;
}

/** Returns what things hide on both sides, so that nothing is known about it. */
function lostOf(front: Front, { oval }: AtlasLayout, make: PlaneMaker): Float32Array | null {
  const hidden = frontAt(front.shares.thing, COARSE_SIDE, make);
  const lost = new Float32Array(hidden.length);
  for (let i = 0; i < lost.length; i++) {
    const both = Math.min(hidden[i]!, hidden[mirrorTexel(i, COARSE_SIDE)]!);
    lost[i] = oval[i]! * ramp(LOST_SHARE, both);
  }
  if (lost.every((share) => share === 0)) return null;
  boxBlur(lost, COARSE_SIDE, COARSE_SIDE, LOST_EDGE_TEXELS, 2);
  return lost;
}

/** Skin that fills and details are copied from. */
const bareFar = perLayout((layout: RegionMasks): Float32Array =>
  layout.oval.map((_, i) => farFromFeatures(layout, i)),
);

/** Makes a smooth surface from the skin that is not `foreign`, of the mask's size like `atlas`. */
function smoothFill(
  space: Workspace,
  { side, luma, blue, red }: Atlas,
  layout: RegionMasks,
  foreign: Float32Array,
  model: SkinModel,
): Planes {
  const near = space.copyOf(foreign);
  boxBlur(near, side, side, Math.max(1, side >> 7), 1);
  const trust = space.copyOf(bareFar(layout));
  for (let i = 0; i < trust.length; i++) {
    if (trust[i] === 0) continue;
    const clean = Math.max(0, 1 - 3 * Math.max(near[i]!, foreign[i]!));
    trust[i]! *= clean * clean;
  }
  const fill: Planes = [space.copyOf(luma), space.copyOf(blue), space.copyOf(red)];
  pushPull(fill, trust, side);
  // This removes the remaining traces of single texels.
  for (const plane of fill) boxBlur(plane, side, side, Math.max(2, side >> 6), 2);
  // Neighbouring skin tells the colour; for luma the shading model counts too. Far from any skin
  // the two agree less, so their mean is used.
  const expected = enlargeSquare(
    model.luma,
    COARSE_SIDE,
    side / COARSE_SIDE,
    space.uninitialised(side * side),
  );
  const level = fill[0];
  boxBlur(trust, side, side, side >> 4, 2);
  for (let i = 0; i < level.length; i++) {
    const far = Math.max(0, 1 - 4 * trust[i]!);
    level[i]! += MODEL_SHARE * far * (expected[i]! - level[i]!);
  }
  return fill;
}

/**
 * Adds the finer detail of the other side to the filled part (`foreign`, of the mask's size like
 * `bare`), in place.
 */
function mirrorDetail(
  space: Workspace,
  atlas: Atlas,
  { oval }: RegionMasks,
  foreign: Float32Array,
  bare: Float32Array,
): void {
  const { side, luma } = atlas;
  const maskSide = Math.sqrt(foreign.length);
  const factor = side / maskSide;
  // It was filled smoothly before, so it has no edge here between skin and hair.
  const around = space.copyOf(luma);
  boxBlur(around, side, side, Math.max(1, Math.round(side / 64)), 1);
  for (let cellY = 0, cell = 0; cellY < maskSide; cellY++) {
    for (let cellX = 0; cellX < maskSide; cellX++, cell++) {
      if (foreign[cell] === 0) continue;
      // The two sides of a pair never both change, because one of the two shares is small.
      const other = mirrorTexel(cell, maskSide);
      const share = MIRRORED_DETAIL_SHARE * foreign[cell]! * (1 - foreign[other]!) * bare[other]!;
      if (share === 0) continue;
      for (let y = cellY * factor; y < (cellY + 1) * factor; y++) {
        for (let x = cellX * factor; x < (cellX + 1) * factor; x++) {
          const mirrored = mirrorTexel(y * side + x, side);
          if (oval[mirrored] === 0) continue;
          const most = MAX_DETAIL_SHARE * around[mirrored]!;
          const detail = luma[mirrored]! - around[mirrored]!;
          luma[y * side + x]! += share * clamp(detail, -most, most);
        }
      }
    }
  }
}
