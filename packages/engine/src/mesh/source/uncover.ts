import { boxBlur, boxRadius } from '@guise/kernels/filter/box-blur.ts';
import { pushPull } from '@guise/kernels/filter/push-pull.ts';
import { addEnlarged, mixEnlarged } from '@guise/kernels/face/relight.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { type Front, frontAt, shareOf } from '../front/front.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE, perLayout } from '../uv/atlas-layout.ts';
import type { SmallerAtlases } from '../uv/smaller-atlases.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import { midlineDistance, mirrorTexel } from '../uv/texel.ts';
import { heightOf } from '../uv/zones.ts';

/** How much a network must ask for its bare face before it gets it. */
const NEEDED: Ramp = { from: 0.12, to: 0.5 };
/** How little of it is asked for where what is seen tells the tone. */
const UNTOUCHED: Ramp = { from: 0.15, to: 0.03 };
/** Box radius around hair within which a brow may be a part of it, sides; applied twice. */
const LOCK_SIDES = 1 / 64;
/** Share of hair or things around a feature over which it is hidden. */
const HIDDEN: Ramp = { from: 0.1, to: 0.35 };
/** Share of them on the other side up to which that shows it. */
const SHOWN: Ramp = { from: 0.3, to: 0.1 };
/** Box radius within which seen skin tells what is behind a thing, sides; applied twice. */
const REACH_SIDES = 1 / 40;
/** Share of seen skin within that from which the skin goes on as it does. */
const NEAR_SKIN: Ramp = { from: 0.08, to: 0.3 };
/** Box radius over which tones are brought together, coarse texels; applied twice. */
const TONE_RADIUS_TEXELS = 2;
/**
 * Distance from the face's middle, 1 on an ellipse inside the oval, up to which bare faces were
 * learned: pictures show hair, ears and what is behind further out.
 */
const LEARNED_DISTANCE: Ramp = { from: 1, to: 0.92 };
/** Distance over which skin goes on as it is seen, as bare faces were seldom sure there. */
const OUTER_DISTANCE: Ramp = { from: 0.6, to: 0.75 };
/** Distance over which what lies in front is filled smoothly, so that none of it shows through. */
const BEYOND_DISTANCE: Ramp = { from: 0.84, to: 0.92 };
/** That ellipse, in sides of the atlas. */
const LEARNED_ELLIPSE = { middleY: 0.52, wide: 0.36, high: 0.44 };

/** Where the network knows bare faces, and where it does not: 0..1. */
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
 * Puts the bare face where things lie in front of a source, in place: rims, shades, glare, locks,
 * hands become what the network has learned that faces look like behind them, in the tone of the
 * skin beside. Skin near skin that is seen goes on as that does: a thin rim leaves no trace.
 * @param smaller copies of the atlas as it is given
 * @param layout of `FRONT_SIDE`, or of the atlas's if that is less
 * @returns how much of each texel was replaced, 0..1, of the layout's size
 */
export function uncover(
  atlas: Atlas,
  smaller: SmallerAtlases,
  front: Front,
  layout: AtlasLayout,
  make: PlaneMaker,
): Float32Array {
  const { side, oval } = layout;
  const { learned } = learnedZones(layout);
  const needed = frontAt(front.needed, side, make);
  const replaced = make.uninitialised(needed.length);
  const paired = pairedFeatures(front, layout, make);
  for (let i = 0; i < replaced.length; i++)
    replaced[i] = learned[i]! * Math.max(paired[i]!, ramp(NEEDED, needed[i]!));
  const seen = smaller.at(side);
  const steps = toneSteps(smaller.at(COARSE_SIDE), front, layout.at(COARSE_SIDE), make);
  const beside = skinBeside(seen, needed, layout, make);
  for (const [k, name] of (['luma', 'blue', 'red'] as const).entries()) {
    const bare = frontAt(front.bare[name], side, make);
    addEnlarged(bare, steps[k]!, oval, COARSE_SIDE, side);
    const skin = beside.planes[k]!;
    for (let i = 0; i < bare.length; i++) {
      bare[i]! += beside.share[i]! * (skin[i]! - bare[i]!);
      if (paired[i] === 0) continue;
      const other = mirrorTexel(i, side);
      bare[i]! += paired[i]! * (seen[name][other]! + skin[i]! - skin[other]! - bare[i]!);
    }
    mixEnlarged(atlas[name], bare, replaced, side, atlas.side);
  }
  return replaced;
}

/** Brows and lids that hair or a thing hides, and that the other side shows: 0..1. */
function pairedFeatures(
  front: Front,
  { side, features, holes }: AtlasLayout,
  make: PlaneMaker,
): Float32Array {
  const covered = frontAt(shareOf(front, ['hair', 'thing'], make), side, make);
  boxBlur(covered, side, side, boxRadius(LOCK_SIDES * side), 2);
  return covered.map((share, i) => {
    const other = covered[mirrorTexel(i, side)]!;
    return features[i]! * (1 - holes[i]!) * ramp(HIDDEN, share) * ramp(SHOWN, other);
  });
}

/** Continues the skin that is seen smoothly, and says how far that reaches: 0..1. */
function skinBeside(
  seen: Atlas,
  needed: Float32Array,
  layout: AtlasLayout,
  make: PlaneMaker,
): { readonly planes: readonly Float32Array[]; readonly share: Float32Array } {
  const { side, oval, features, holes } = layout;
  const { outer } = learnedZones(layout);
  const near = make.copyOf(needed);
  boxBlur(near, side, side, 1, 2);
  const trust = make.uninitialised(near.length);
  for (let i = 0; i < trust.length; i++) {
    const bare = oval[i]! * Math.max(0, 1 - 3 * features[i]!) * (1 - holes[i]!);
    trust[i] = bare * ramp(UNTOUCHED, near[i]!);
  }
  const planes = [seen.luma, seen.blue, seen.red].map((plane) => make.copyOf(plane));
  pushPull(planes, trust, side);
  for (const plane of planes) boxBlur(plane, side, side, 1, 2);
  boxBlur(trust, side, side, boxRadius(REACH_SIDES * side), 2);
  for (let i = 0; i < trust.length; i++)
    trust[i] =
      Math.max(outer[i]!, ramp(NEAR_SKIN, trust[i]!)) *
      Math.max(0, 1 - 2 * Math.max(features[i]!, holes[i]!));
  return { planes, share: trust };
}

/** What the network's face lacks of the tone that is seen, smooth: luma, blue, red, coarse. */
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
