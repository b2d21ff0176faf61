import { boxBlur, boxRadius } from '@guise/kernels/filter/box-blur.ts';
import { enlargeSquare, shrinkSquare } from '@guise/kernels/scale/plane-scale.ts';
import { pushPull } from '@guise/kernels/filter/push-pull.ts';
import { addEnlarged, mixEnlarged } from '@guise/kernels/face/relight.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { type Front, type FrontKind, frontAt, shareOf } from '../front/front.ts';
import { type Atlas, type AtlasColours, shrinkColours } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE, perLayout } from '../uv/atlas-layout.ts';
import type { SmallerAtlases } from '../uv/smaller-atlases.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import { eyeArea } from '../uv/eye-area.ts';
import { farFromFeatures } from '../uv/bare-skin.ts';
import { midlineDistance, mirrorTexel } from '../uv/texel.ts';
import { heightOf, ZONES, zonePlane } from '../uv/zones.ts';
import { type EyeNumber, isOfEye } from './spoiled-eye.ts';

/** Need of the bare face, by the network. 0 at `from`: nothing is replaced; 1 at `to`: all is. */
const NEEDED: Ramp = { from: 0.12, to: 0.5 };
/** Need of the bare face. 0 at `from`: the texel does not show the tone; 1 at `to`: it does. */
const UNTOUCHED: Ramp = { from: 0.15, to: 0.03 };
/**
 * Box radii around hair in which a brow may belong to it, and in which rests of it may lie, sides;
 * applied twice.
 */
const [LOCK_SIDES, REST_SIDES] = [1 / 64, 1 / 24];
/**
 * Blurred need. 0 at `from`: skin is not trusted; 1 at `to`: its surroundings are continued from
 * it.
 */
const BESIDE: Ramp = { from: 0.45, to: 0.2 };
/** Box radii by which a rim and a lock are wider than their found part, sides; applied twice. */
const [RIM_SIDES, HAIR_EDGE_SIDES] = [1 / 128, 1 / 64];
/**
 * Share of rims or hair around a texel. 0 at `from`: it is outside their edge; 1 at `to`: it is
 * inside.
 */
const EDGE: Ramp = { from: 0.05, to: 0.2 };
/** Share of rims around a texel. 0 at `from`: it is far from them; 1 at `to`: it is behind one. */
const NEAR_RIM: Ramp = { from: 0, to: 0.17 };
/**
 * Share of hair or things around a feature. 0 at `from`: it is visible; 1 at `to`: it is hidden.
 */
const HIDDEN: Ramp = { from: 0.1, to: 0.35 };
/**
 * Share of hair or things around the same feature on the other side of the face. 0 at `from`: that
 * side is hidden too; 1 at `to`: it shows the feature.
 */
const SHOWN: Ramp = { from: 0.3, to: 0.1 };
/**
 * Share of hair around a place. 0 at `from`: no rest of it is there; 1 at `to`: it may be there.
 */
const NEAR_HAIR: Ramp = { from: 0.01, to: 0.08 };
/**
 * How much darker a place is than its mirror image, relative to the skin around each. 0 at `from`:
 * it is no rest of hair; 1 at `to`: it is.
 */
const DARKER: Ramp = { from: 0.08, to: 0.2 };
/** Box radius in which visible skin tells what is behind a thing, sides; applied twice. */
const REACH_SIDES = 1 / 40;
/**
 * Share of visible skin in that radius. 0 at `from`: the learned face is used; 1 at `to`: the skin
 * is continued.
 */
const NEAR_SKIN: Ramp = { from: 0.08, to: 0.3 };
/** Box radius over which tones are matched, coarse texels; applied twice. */
const TONE_RADIUS_TEXELS = 2;
/**
 * Distance from the face's middle, 1 on an ellipse inside the oval, from unknown to learned faces:
 * further outside, the training pictures show hair, ears and background.
 */
const LEARNED_DISTANCE: Ramp = { from: 1, to: 0.92 };
/**
 * Distance. 0 at `from`: the learned face is used; 1 at `to`: seen skin is continued, because few
 * training pictures showed skin there.
 */
const OUTER_DISTANCE: Ramp = { from: 0.85, to: 0.95 };
/**
 * Distance. 0 at `from`: the learned face replaces things in front; 1 at `to`: they are filled
 * smoothly.
 */
const BEYOND_DISTANCE: Ramp = { from: 0.84, to: 0.92 };
/** This ellipse, in sides of the atlas. */
const LEARNED_ELLIPSE = { middleY: 0.52, wide: 0.36, high: 0.44 };

/** Distance from the midline, sides, in which a brow ends. */
const BROW_END: Ramp = { from: 0.19, to: 0.23 };

/** Zone into which hair may hang from the forehead. */
const aboveEyes = perLayout(({ side }: RegionMasks) => zonePlane(side, ZONES.aboveEyes));

/** Colours of an atlas, plane by plane. */
export type Planes = readonly [luma: Float32Array, blue: Float32Array, red: Float32Array];

/** Zones in which the network knows bare faces, and in which it does not. */
export const learnedZones = perLayout(({ side, oval }: RegionMasks) => {
  const { middleY, wide, high } = LEARNED_ELLIPSE;
  const distance = oval.map((_, i) => {
    const down = heightOf(i, side) - middleY;
    return Math.hypot(midlineDistance(i, side) / wide, down / high);
  });
  return {
    outer: distance.map((each) => ramp(OUTER_DISTANCE, each)),
    learned: oval.map((inside, i) => inside * ramp(LEARNED_DISTANCE, distance[i]!)),
    beyond: oval.map((inside, i) => inside * ramp(BEYOND_DISTANCE, distance[i]!)),
  };
});

/**
 * Replaces things in front of a source by the bare face, in place: rims, shades, glare, locks and
 * hands become the face that the network has learned to expect behind them, in the tone of the skin
 * around. Near visible skin, that skin is continued instead, so that a thin rim leaves no trace.
 * @param smaller copies of the atlas as it is given
 * @param spoiled the eye that the other one's mirror image replaces
 * @param layout of `FRONT_SIDE`, or of the atlas's if that is less
 * @returns how much of each texel was replaced, 0..1, of the layout's size
 */
export function uncover(
  atlas: Atlas,
  smaller: SmallerAtlases,
  front: Front,
  spoiled: EyeNumber | null,
  layout: AtlasLayout,
  make: PlaneMaker,
): Float32Array {
  const { side } = layout;
  const { learned } = learnedZones(layout);
  const needed = frontAt(front.needed, side, make);
  growAtEdges(needed, front, layout, make);
  const seen = smaller.at(side);
  const small = smaller.at(COARSE_SIDE);
  const steps = toneSteps(small, front, layout.at(COARSE_SIDE), make);
  const beside = skinBeside(seen, needed, layout, make);
  const replaced = make.uninitialised(needed.length);
  const paired = hiddenOnOneSide(front, needed, seen.luma, beside.planes[0], layout, make);
  if (spoiled !== null) addEye(paired, spoiled, layout);
  const rests = restsOfHair(front, seen.luma, beside.planes[0], layout, make);
  for (let i = 0; i < replaced.length; i++)
    replaced[i] = learned[i]! * Math.max(paired[i]!, rests[i]!, ramp(NEEDED, needed[i]!));
  const beard = frontAt(front.shares.beard, side, make);
  const hair = frontAt(front.shares.hair, side, make);
  // Hair is often darker than the shade that the network takes off. Of beards it knows the chin
  // below.
  for (let i = 0; i < beard.length; i++)
    beside.share[i] = Math.max(beside.share[i]!, hair[i]!, rests[i]!) * (1 - beard[i]!);
  const learnedFace = bareColours(front, steps, layout, make);
  const plain = plainSkin(learnedFace, layout, make);
  const trusted = besideRims(front, needed, layout, make);
  for (const [k, name] of (['luma', 'blue', 'red'] as const).entries()) {
    const bare = learnedFace[name];
    const skin = beside.planes[k]!;
    for (let i = 0; i < bare.length; i++) {
      // A brow is as much darker than that skin as the network's is than the network's skin.
      const wanted = skin[i]! + (1 - rests[i]!) * (bare[i]! - plain[k]![i]!);
      bare[i]! += beside.share[i]! * (wanted - bare[i]!);
    }
    for (let i = 0; i < bare.length; i++) {
      if (paired[i] === 0) continue;
      const other = mirrorTexel(i, side);
      const cleaned = replaced[other]! * (1 - layout.softEyes[other]!);
      const shown = seen[name][other]! + cleaned * (bare[other]! - seen[name][other]!);
      // What is dark gets little of the difference between the light on both sides.
      const lit = Math.min(1, seen.luma[other]! / (beside.planes[0][other]! + 1));
      bare[i]! += paired[i]! * (shown + lit * (skin[i]! - skin[other]!) - bare[i]!);
    }
    if (trusted) meetNeighbours(bare, small[name], trusted, layout, make);
    mixEnlarged(atlas[name], bare, replaced, side, atlas.side);
  }
  return replaced;
}

/** Continues the skin of a face smoothly below its features. Returns planes of its size. */
function plainSkin(face: AtlasColours, layout: AtlasLayout, make: PlaneMaker): Planes {
  const small = shrinkColours(face, COARSE_SIDE, make);
  const nothing = make.floats(COARSE_SIDE * COARSE_SIDE);
  const { planes } = skinBeside(small, nothing, layout.at(COARSE_SIDE), make);
  const { side } = face;
  const enlarged = (plane: Float32Array): Float32Array =>
    enlargeSquare(plane, COARSE_SIDE, side / COARSE_SIDE, make.uninitialised(side * side));
  return [enlarged(planes[0]), enlarged(planes[1]), enlarged(planes[2])];
}

/** Coarse planes, 0..1: places around rims, and those that show the face. */
interface BesideRims {
  readonly near: Float32Array;
  readonly shown: Float32Array;
}

/** Returns what is beside rims of glasses; null if there are none. */
function besideRims(
  front: Front,
  needed: Float32Array,
  layout: AtlasLayout,
  make: PlaneMaker,
): BesideRims | null {
  const near = frontAt(front.shares.frame, COARSE_SIDE, make);
  if (near.every((share) => share === 0)) return null;
  boxBlur(near, COARSE_SIDE, COARSE_SIDE, boxRadius(REACH_SIDES * COARSE_SIDE), 2);
  const shown = shrinkSquare(needed, layout.side, COARSE_SIDE, make.uninitialised(near.length));
  const { oval, softEyes, browsSoft } = layout.at(COARSE_SIDE);
  for (let i = 0; i < near.length; i++) {
    near[i] = ramp(NEAR_RIM, near[i]!);
    shown[i] = oval[i]! * (1 - softEyes[i]!) * (1 - browsSoft[i]!) * ramp(BESIDE, shown[i]!);
  }
  return { near, shown };
}

/** Gives the face behind rims, in place, the tone of what is seen beside them (coarse). */
function meetNeighbours(
  bare: Float32Array,
  seen: Float32Array,
  { near, shown }: BesideRims,
  { side, oval }: AtlasLayout,
  make: PlaneMaker,
): void {
  const steps = shrinkSquare(bare, side, COARSE_SIDE, make.uninitialised(near.length));
  for (let i = 0; i < steps.length; i++) steps[i] = seen[i]! - steps[i]!;
  pushPull([steps], shown, COARSE_SIDE);
  for (let i = 0; i < steps.length; i++) steps[i]! *= near[i]!;
  addEnlarged(bare, steps, oval, COARSE_SIDE, side);
}

/** Returns the network's bare face in the tone of the visible skin. */
function bareColours(
  front: Front,
  steps: readonly Float32Array[],
  { side, oval }: AtlasLayout,
  make: PlaneMaker,
): AtlasColours {
  const [luma, blue, red] = (['luma', 'blue', 'red'] as const).map((name, k) => {
    const plane = frontAt(front.bare[name], side, make);
    addEnlarged(plane, steps[k]!, oval, COARSE_SIDE, side);
    return plane;
  }) as [Float32Array, Float32Array, Float32Array];
  return { side, luma, blue, red };
}

/** Extends `needed` over edges and fine shades of rims and locks, in place. */
function growAtEdges(
  needed: Float32Array,
  front: Front,
  { side, softEyes, features }: AtlasLayout,
  make: PlaneMaker,
): void {
  const near = (kind: FrontKind, sides: number): Float32Array => {
    const share = frontAt(front.shares[kind], side, make);
    boxBlur(share, side, side, boxRadius(sides * side), 2);
    return share;
  };
  const [rims, hair] = [near('frame', RIM_SIDES), near('hair', HAIR_EDGE_SIDES)];
  for (let i = 0; i < needed.length; i++) {
    const edge = Math.max(ramp(EDGE, rims[i]!), (1 - features[i]!) * ramp(EDGE, hair[i]!));
    needed[i] = Math.max(needed[i]!, (1 - softEyes[i]!) * edge);
  }
}

/**
 * Draws, 0..1, brows and lids that hair or a thing hides, and the dark rests of hair beside them,
 * if the other side shows the same place.
 * @param luma of the face @param skin luma of the skin around each texel
 */
function hiddenOnOneSide(
  front: Front,
  needed: Float32Array,
  luma: Float32Array,
  skin: Float32Array,
  layout: AtlasLayout,
  make: PlaneMaker,
): Float32Array {
  const { side, lids, holes, browArea, softEyes } = layout;
  const things = shareOf(front, ['hair', 'thing'], make);
  const [covered, around] = [LOCK_SIDES, REST_SIDES].map((sides) => {
    const share = frontAt(things, side, make);
    boxBlur(share, side, side, boxRadius(sides * side), 2);
    return share;
  }) as [Float32Array, Float32Array];
  const above = aboveEyes(layout);
  return covered.map((share, i) => {
    const other = mirrorTexel(i, side);
    const zone = Math.max(lids[i]!, (1 - softEyes[i]!) * browArea[i]!);
    const darker = luma[other]! / (skin[other]! + 1) - luma[i]! / (skin[i]! + 1);
    const rest = above[i]! * ramp(NEAR_HAIR, around[i]!) * ramp(DARKER, darker) * (1 - softEyes[i]!);
    const shown = ramp(SHOWN, Math.max(around[other]!, needed[other]!));
    return (1 - holes[i]!) * Math.max(rest, zone * ramp(HIDDEN, share)) * shown;
  });
}

/** Adds the area of an eye to a plane of its half, in place. */
function addEye(plane: Float32Array, eye: EyeNumber, layout: AtlasLayout): void {
  const { side } = layout;
  const area = eyeArea(layout);
  for (let i = 0; i < plane.length; i++) if (isOfEye(i, eye, side)) plane[i] = Math.max(plane[i]!, area[i]!);
}

/**
 * Finds what hair has left at the ends of brows, 0..1: dark texels outside the brows, and those of
 * their ends, which a face may lack.
 * @param luma of the face @param skin luma of the skin around each texel
 */
function restsOfHair(
  front: Front,
  luma: Float32Array,
  skin: Float32Array,
  layout: AtlasLayout,
  make: PlaneMaker,
): Float32Array {
  const { side, lids, browsSoft, softEyes, holes } = layout;
  const around = make.copyOf(frontAt(front.shares.hair, side, make));
  boxBlur(around, side, side, boxRadius(REST_SIDES * side), 2);
  const above = aboveEyes(layout);
  for (let i = 0; i < around.length; i++) {
    if (around[i] === 0) continue;
    const feature = (1 - ramp(BROW_END, midlineDistance(i, side))) * Math.max(browsSoft[i]!, lids[i]!);
    const dark = ramp(DARKER, 1 - luma[i]! / (skin[i]! + 1));
    const free = (1 - feature) * (1 - softEyes[i]!) * (1 - holes[i]!);
    around[i] = above[i]! * free * dark * ramp(NEAR_HAIR, around[i]!);
  }
  return around;
}

/** Continues visible skin smoothly, and tells how far that reaches: 0..1. */
function skinBeside(
  seen: AtlasColours,
  needed: Float32Array,
  layout: AtlasLayout,
  make: PlaneMaker,
): { readonly planes: Planes; readonly share: Float32Array } {
  const { side, features, holes } = layout;
  const { outer } = learnedZones(layout);
  const near = make.copyOf(needed);
  boxBlur(near, side, side, 1, 2);
  const trust = make.uninitialised(near.length);
  for (let i = 0; i < trust.length; i++) {
    trust[i] = farFromFeatures(layout, i) * ramp(BESIDE, near[i]!);
  }
  const planes: Planes = [make.copyOf(seen.luma), make.copyOf(seen.blue), make.copyOf(seen.red)];
  pushPull(planes, trust, side);
  for (const plane of planes) boxBlur(plane, side, side, 1, 2);
  boxBlur(trust, side, side, boxRadius(REACH_SIDES * side), 2);
  for (let i = 0; i < trust.length; i++)
    trust[i] =
      Math.max(outer[i]!, ramp(NEAR_SKIN, trust[i]!)) *
      Math.max(0, 1 - 2 * Math.max(features[i]!, holes[i]!));
  return { planes, share: trust };
}

/** Measures what the network's face misses of the visible tone, smooth, coarse: luma, blue, red. */
function toneSteps(small: Atlas, front: Front, layout: AtlasLayout, make: PlaneMaker): Float32Array[] {
  const { learned } = learnedZones(layout);
  const trust = frontAt(front.needed, COARSE_SIDE, make);
  for (let i = 0; i < trust.length; i++) trust[i] = learned[i]! * ramp(UNTOUCHED, trust[i]!);
  const steps = (['luma', 'blue', 'red'] as const).map((name) => {
    const step = frontAt(front.bare[name], COARSE_SIDE, make);
    for (let i = 0; i < step.length; i++) step[i] = small[name][i]! - step[i]!;
    return step;
  });
  pushPull(steps, trust, COARSE_SIDE);
  for (const step of steps) boxBlur(step, COARSE_SIDE, COARSE_SIDE, TONE_RADIUS_TEXELS, 2);
  return steps;
}
