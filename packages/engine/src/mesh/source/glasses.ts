import { boxBlur, boxRadius } from '@guise/kernels/filter/box-blur.ts';
import { maxInPlace } from '@guise/kernels/filter/max-in-place.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { shareBehindLenses } from '../front/covered-eyes.ts';
import { type Front, FRONT_SIDE, frontAt } from '../front/front.ts';
import type { Light } from '../skin/light.ts';
import type { Atlas, AtlasColours } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import type { RegionMasks } from '../uv/region-masks.ts';

/** Share of the eyes behind lenses from which a source wears glasses. */
const WORN_SHARE = 0.55;
/** Box radius by which a rim is wider than its found part, sides; applied twice. */
const RIM_SIDES = 1 / 128;
/** Share of rims around a texel. 0 at `from`: it is outside a rim; 1 at `to`: it is inside. */
const RIM: Ramp = { from: 0.04, to: 0.2 };
/** Share of a lens. 0 at `from`: the texel is beside it; 1 at `to`: it is behind it. */
const BEHIND_LENS: Ramp = { from: 0.2, to: 0.6 };
/** Share of a lens from which it counts for the width of the glasses. */
const LENS_SHARE = 0.5;
/**
 * Need of the bare face behind a lens. 0 at `from`: glare or the background shows there; 1 at `to`:
 * the face does.
 */
const FACE_SEEN: Ramp = { from: 0.7, to: 0.3 };
/** Facing of a texel. 0 at `from`: the photo may show a background; 1 at `to`: it shows glasses. */
const SHOWN_FACING: Ramp = { from: 0.05, to: 0.2 };

/** A source's glasses, which a target without glasses wears. Planes have the atlas's size. */
export interface Glasses {
  /** The face as the photo shows it, with its glasses. */
  readonly atlas: Atlas;
  /** Light of the photo. */
  readonly light: Light;
  /** Share of each texel that rims and dark lenses cover, 0..1. */
  readonly rims: Float32Array;
  /** Share of each texel that is seen through a clear lens, 0..1. */
  readonly lenses: Float32Array;
  /** Leftmost and rightmost place of the lenses, sides. */
  readonly ends: readonly [left: number, right: number];
  /** Landmarks of the photo, 478 x (x, y, z). */
  readonly landmarks: Float32Array;
}

/** Returns whether a source wears glasses. @param layout coarse */
export function wearsGlasses(front: Front, layout: RegionMasks, make: PlaneMaker): boolean {
  return shareBehindLenses(front, layout, make) >= WORN_SHARE;
}

/** A photo of somebody who wears glasses. */
interface PhotoOfGlasses {
  readonly front: Front;
  readonly light: Light;
  readonly landmarks: Float32Array;
  /** Whether the lenses hide the eyes. */
  readonly areDark: boolean;
}

/**
 * Returns the glasses that make the difference between a seen face and the same face without them.
 * @param layout of the atlas's size
 */
export function glassesOf(
  seen: Atlas,
  bare: AtlasColours,
  { front, light, landmarks, areDark }: PhotoOfGlasses,
  layout: AtlasLayout,
  make: PlaneMaker,
): Glasses {
  const { side, oval, softEyes } = layout;
  const [rims, lenses] = [front.shares.frame, front.shares.lens].map((share) =>
    frontAt(share, side, make).slice(),
  ) as [Float32Array, Float32Array];
  const needed = frontAt(front.needed, side, make);
  boxBlur(rims, side, side, Math.max(1, boxRadius(RIM_SIDES * side)), 2);
  for (let i = 0; i < rims.length; i++) {
    const shown = oval[i]! * ramp(SHOWN_FACING, seen.facing[i]!);
    const face = Math.max(softEyes[i]!, ramp(FACE_SEEN, needed[i]!));
    rims[i] = shown * ramp(RIM, rims[i]!);
    lenses[i] = shown * ramp(BEHIND_LENS, lenses[i]!) * (areDark ? 1 : face * (1 - rims[i]!));
  }
  if (areDark) {
    maxInPlace(rims, lenses);
    lenses.fill(0);
  }
  const shares = rims.map((rim, i) => Math.max(rim, lenses[i]!));
  const atlas = { ...mixed(bare, seen, shares), facing: seen.facing };
  return { atlas, light, rims, lenses, ends: endsOf(front.shares.lens), landmarks };
}

/** Puts what is seen through clear lenses on the bare face. Returns a new atlas. */
export function throughLenses(bare: Atlas, { atlas, lenses }: Glasses): Atlas {
  return { ...mixed(bare, atlas, lenses), facing: bare.facing };
}

/** Mixes two faces: `from` at share 0, `to` at share 1. Returns new planes. */
function mixed(from: AtlasColours, to: AtlasColours, shares: Float32Array): AtlasColours {
  const mix = (one: Float32Array, other: Float32Array): Float32Array =>
    one.map((value, i) => value + shares[i]! * (other[i]! - value));
  return {
    side: from.side,
    luma: mix(from.luma, to.luma),
    blue: mix(from.blue, to.blue),
    red: mix(from.red, to.red),
  };
}

/** Returns the leftmost and rightmost place of lenses, sides. @param lens of `FRONT_SIDE` */
function endsOf(lens: Float32Array): [left: number, right: number] {
  let [left, right] = [FRONT_SIDE, 0];
  for (let i = 0; i < lens.length; i++) {
    if (lens[i]! < LENS_SHARE) continue;
    left = Math.min(left, i % FRONT_SIDE);
    right = Math.max(right, (i % FRONT_SIDE) + 1);
  }
  return [left / FRONT_SIDE, right / FRONT_SIDE];
}
