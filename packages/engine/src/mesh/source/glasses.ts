import { boxBlur, boxRadius } from '@guise/kernels/filter/box-blur.ts';
import { maxInPlace } from '@guise/kernels/filter/max-in-place.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { enlargeSquare } from '@guise/kernels/scale/plane-scale.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { shareBehindLenses } from '../front/covered-eyes.ts';
import { type Front, FRONT_SIDE, frontAt } from '../front/front.ts';
import { lensOutline } from '../front/lens-outline.ts';
import { thinRims } from '../front/thin-rims.ts';
import { angleToCamera } from '../shape/glasses-mesh.ts';
import type { Light } from '../skin/light.ts';
import type { Atlas, AtlasColours } from '../uv/atlas.ts';
import { type AtlasLayout, COARSE_SIDE } from '../uv/atlas-layout.ts';
import { eyeArea } from '../uv/eye-area.ts';
import { resizePlane } from '../uv/resize-plane.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import { type EyeNumber, isOfEye } from './spoiled-eye.ts';
import { paintArms } from './glasses-arms.ts';

/** Share of the eyes behind lenses from which a source wears glasses. */
const WORN_SHARE = 0.55;
/** Least share of the outline of its lenses that rims close: of less, pieces would float. */
const MIN_CLOSED_SHARE = 0.87;
/**
 * Largest luma of thin rims over that of the skin: lighter ones are found in pieces, and look torn.
 */
const MAX_THIN_LUMA = 0.68;
/** Largest angle between the source and the camera, degrees: beyond it arms hide lenses. */
const MAX_ASIDE_DEGREES = 28;
/** Box radius by which a rim is wider than its found part, sides; applied twice. */
const RIM_SIDES = 1 / 128;
/** Share of rims around a texel. 0 at `from`: it is outside a rim; 1 at `to`: it is inside. */
const RIM: Ramp = { from: 0.04, to: 0.2 };
/**
 * Difference from the lit skin, levels. 0 at `from`: the texel shows skin; 1 at `to`: it shows a
 * rim.
 */
const OTHER_THAN_SKIN: Ramp = { from: 10, to: 28 };
/** Share of a rim in a texel. 0 at `from`: it may be skin beside it; 1 at `to`: it is a rim. */
const SURE_RIM: Ramp = { from: 0.5, to: 0.8 };
/**
 * Distance outside the lenses, sides. 0 at `from`: there are arms, of which the photo shows little;
 * 1 at `to`: there are rims.
 */
const BESIDE_LENS: Ramp = { from: 0.09, to: 0.06 };
/** Share of a lens. 0 at `from`: the texel is beside it; 1 at `to`: it is behind it. */
const BEHIND_LENS: Ramp = { from: 0.2, to: 0.6 };
/** Box radius around rims in which their shade lies on the face, sides; applied twice. */
const SHADE_SIDES = 1 / 48;
/** Share of rims in that radius. 0 at `from`: a texel is shaded; 1 at `to`: it is not. */
const UNSHADED: Ramp = { from: 0.12, to: 0.02 };
/**
 * Need of the bare face behind a lens. 0 at `from`: glare or the background shows there; 1 at `to`:
 * the face does.
 */
const FACE_SEEN: Ramp = { from: 0.7, to: 0.3 };
/** Facing of a texel. 0 at `from`: the photo may show a background; 1 at `to`: it shows glasses. */
const SHOWN_FACING: Ramp = { from: 0.02, to: 0.08 };

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

/**
 * Returns whether a photo shows glasses from the front.
 * @param layout coarse
 */
export function showsGlasses(
  front: Front,
  landmarks: Float32Array,
  layout: RegionMasks,
  make: PlaneMaker,
): boolean {
  return (
    shareBehindLenses(front, layout, make) >= WORN_SHARE && angleToCamera(landmarks) <= MAX_ASIDE_DEGREES
  );
}

/** A photo of somebody who wears glasses. */
interface PhotoOfGlasses {
  readonly front: Front;
  readonly light: Light;
  readonly landmarks: Float32Array;
  /** Whether the lenses hide the eyes. */
  readonly areDark: boolean;
  /** The eye on whose lens something is reflected, see `spoiledEye`. */
  readonly spoiled: EyeNumber | null;
}

/**
 * Returns the glasses that make the difference between a seen face and the same face without them;
 * null if their rims do not close, as those of half rims.
 * @param layout of the atlas's size
 */
export function glassesOf(
  seen: Atlas,
  bare: AtlasColours,
  { front, light, landmarks, areDark, spoiled }: PhotoOfGlasses,
  layout: AtlasLayout,
  make: PlaneMaker,
): Glasses | null {
  const { side, oval, softEyes } = layout;
  const area = eyeArea(layout);
  const at = (plane: Float32Array): Float32Array => frontAt(plane, side, make).slice();
  const [found, lenses, needed] = [at(front.shares.frame), at(front.shares.lens), at(front.needed)];
  const [shade, around] = [make.copyOf(found), make.copyOf(found)];
  boxBlur(shade, side, side, Math.max(1, boxRadius(SHADE_SIDES * side)), 2);
  boxBlur(around, side, side, Math.max(1, boxRadius(RIM_SIDES * side)), 2);
  const outline = lensOutline(front.shares.lens, front.shares.frame);
  const { ends } = outline;
  // Share of each texel that may be a rim: the photo shows it, and it is no arm.
  const place = make.uninitialised(oval.length);
  const step = differenceFrom(light, seen, found, make);
  let rims = new Float32Array(oval.length);
  for (let i = 0; i < rims.length; i++) {
    const x = ((i % side) + 0.5) / side;
    const shown = oval[i]! * ramp(SHOWN_FACING, seen.facing[i]!);
    place[i] = shown * ramp(BESIDE_LENS, Math.max(ends[0] - x, x - ends[1]));
    const near = ramp(RIM, around[i]!);
    rims[i] = place[i]! * near * Math.max(ramp(SURE_RIM, found[i]!), ramp(OTHER_THAN_SKIN, step[i]!));
    const face = Math.max(softEyes[i]!, ramp(FACE_SEEN, needed[i]!)) * ramp(UNSHADED, shade[i]!);
    const mirrored = isOfEye(i, spoiled, side) ? area[i]! : 0;
    lenses[i] = shown * ramp(BEHIND_LENS, lenses[i]!) * (areDark ? 1 : face * (1 - near) * (1 - mirrored));
  }
  const visible = resizePlane(rims, side, FRONT_SIDE, make);
  if (lensOutline(front.shares.lens, visible).closed < MIN_CLOSED_SHARE) {
    const thin = thinRims(front, make);
    if (!thin) return null;
    rims = at(thin).map((rim, i) => place[i]! * Math.max(ramp(SURE_RIM, found[i]!), rim));
    if (lumaOverSkin(rims, seen, light, make) > MAX_THIN_LUMA) return null;
  }
  if (areDark) {
    maxInPlace(rims, lenses);
    lenses.fill(0);
  }
  const shares = rims.map((rim, i) => Math.max(rim, lenses[i]!));
  const atlas = { ...mixed(bare, seen, shares), facing: seen.facing };
  if (!areDark) paintArms(atlas, rims, outline, layout);
  return { atlas, light, rims, lenses, ends, landmarks };
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

/** Returns the mean luma of rims over that of the lit skin at their place. */
function lumaOverSkin(
  rims: Float32Array,
  { side, luma }: AtlasColours,
  skin: Light,
  make: PlaneMaker,
): number {
  const lit = enlargeSquare(skin.luma, COARSE_SIDE, side / COARSE_SIDE, make.uninitialised(side * side));
  let [sum, area] = [0, Number.EPSILON];
  for (let i = 0; i < rims.length; i++) {
    sum += (rims[i]! * luma[i]!) / (lit[i]! + 1);
    area += rims[i]!;
  }
  return sum / area;
}

/**
 * Returns how much a face differs from its lit skin at each texel, levels. Bright texels do not
 * count beside dark rims: they are the light edges that cameras draw around dark things.
 * @param found share of rims in each texel
 */
function differenceFrom(
  skin: Light,
  face: AtlasColours,
  found: Float32Array,
  make: PlaneMaker,
): Float32Array {
  const { side } = face;
  const [luma, blue, red] = [skin.luma, skin.blue, skin.red].map((plane) =>
    enlargeSquare(plane, COARSE_SIDE, side / COARSE_SIDE, make.uninitialised(side * side)),
  );
  let brighter = 0;
  for (let i = 0; i < found.length; i++) brighter += found[i]! ** 2 * (face.luma[i]! - luma![i]!);
  const step = make.uninitialised(side * side);
  for (let i = 0; i < step.length; i++) {
    const own = face.luma[i]! - luma![i]!;
    step[i] =
      brighter < 0 && own > 0 ? 0 : Math.hypot(own, face.blue[i]! - blue![i]!, face.red[i]! - red![i]!);
  }
  boxBlur(step, side, side, 1, 1);
  return step;
}
