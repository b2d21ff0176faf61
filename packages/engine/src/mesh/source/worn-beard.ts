import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { pushPull } from '@guise/kernels/filter/push-pull.ts';
import { type Ramp, ramp } from '@guise/kernels/ramp.ts';
import { clamp } from '@guise/kernels/clamp.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { type Front, frontAt } from '../front/front.ts';
import { type Atlas, type AtlasColours, copyColours, LUMA_NOISE_FLOOR } from '../uv/atlas.ts';
import { type AtlasLayout, beardlessCore, COARSE_SIDE, perLayout } from '../uv/atlas-layout.ts';
import { NETWORK_SIDE, WINDOW } from '../uv/network-window.ts';
import { resizePlane } from '../uv/resize-plane.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import { ZONES, zonePlane } from '../uv/zones.ts';
import { mirrorTexel } from '../uv/texel.ts';
import { missingHairs } from './beard-hairs.ts';
import { fitSkin } from '../skin/skin-model.ts';

/** Radius of the box blur that softens a beard's edge, texels of `FRONT_SIDE`; applied twice. */
const EDGE_RADIUS_TEXELS = 2;
/**
 * Blurred share of beard. 0 at `from`: there is none; 1 at `to`: it is whole. Stubble is in
 * between.
 */
const WORN_SHARE: Ramp = { from: 0.3, to: 0.95 };
/** Width of the window's edge, in which the network is unsure, texels of `NETWORK_SIDE`. */
const WINDOW_EDGE_TEXELS = 3;
/** Least and largest factor on luma: a black beard, and a grey one on a dark face. */
const [MIN_LUMA, MAX_LUMA] = [0.05, 1.1];
/**
 * Least and largest factor on colour, beyond that of luma: black hair is greyer than skin, and
 * brown hair has more colour.
 */
const [MIN_COLOUR, MAX_COLOUR] = [0.4, 1.35];
/** Factor on luma. 0 at `from`: the skin between hairs is seen; 1 at `to`: the hair's colour is. */
const HAIR_COLOUR: Ramp = { from: 0.9, to: 0.6 };
/**
 * Facing of a texel. 0 at `from`: the photo may show a background; 1 at `to`: it shows the beard.
 */
const SHOWN_FACING: Ramp = { from: 0.1, to: 0.35 };
/**
 * Factor on luma. 0 at `from`: skin shows between hairs; 1 at `to`: they hide it, and are long.
 */
const HIDING_LUMA: Ramp = { from: 0.85, to: 0.6 };
/** Weight with which two sides that are not seen are mixed. */
const EPSILON = 0.01;
/**
 * Radius of the box blur (applied twice) that finds the smooth part of a plane, coarse texels. Only
 * the smooth part is copied from side to side; finer differences stay.
 */
const EVEN_RADIUS_TEXELS = 5;

/**
 * A source's beard as factors that it puts on the bare face, so that it suits any skin in any
 * light. Planes of the atlas's size, 1 where no hairs are.
 */
export interface Beard {
  readonly side: number;
  /** How dense it is, 0..1, see `beardScore`. */
  readonly score: number;
  readonly luma: Float32Array;
  /** Factor on both colour differences. */
  readonly colour: Float32Array;
  /** Share of each coarse texel in which hairs hide the skin, 0..1. */
  readonly hides: Float32Array;
}

/** What was found of a beard in a photo. */
interface FoundBeard {
  readonly front: Front;
  /** Coarse atlas of the shaven face. */
  readonly small: Atlas;
  readonly score: number;
}

/**
 * Returns the beard that makes the difference between a seen face and the same face shaven. It
 * reaches the jaw and the ears, and is about as dense on both sides, although the photo may show
 * only one, or may show one in brighter light.
 * @param layout of `FRONT_SIDE`, or of the atlas's if that is less
 */
export function beardOf(
  seen: AtlasColours,
  shaven: AtlasColours,
  { front, small, score }: FoundBeard,
  layout: AtlasLayout,
  make: PlaneMaker,
): Beard {
  const { side } = shaven;
  const resized = (plane: Float32Array, from: number, to: number): Float32Array =>
    resizePlane(plane, from, to, make);
  const shown = small.facing.map((facing) => ramp(SHOWN_FACING, facing));
  const share = sharesOf(front, resized(shown, COARSE_SIDE, layout.side), layout, make);
  const skin = fitSkin(small, beardlessCore(layout.at(COARSE_SIDE)), make).luma;
  const { luma, colour } = factorsOf(seen, shaven, resized(skin, COARSE_SIDE, side));
  const density = resized(share, layout.side, COARSE_SIDE);
  for (let i = 0; i < density.length; i++) density[i]! *= shown[i]!;
  const [shares, seenHairs] = [resized(share, layout.side, side), resized(shown, COARSE_SIDE, side)];
  const broad = resized(resized(luma, side, COARSE_SIDE), COARSE_SIDE, side);
  const [evenLuma, evenColour] = [luma, colour].map((plane) => {
    const smooth = resized(plane, side, COARSE_SIDE);
    evenOut(smooth, density, make);
    return resized(smooth, COARSE_SIDE, side);
  });
  const detail = luma.map((value, i) => seenHairs[i]! * (value - broad[i]!));
  const hairs = missingHairs(detail, evenLuma!, shares, side, make);
  for (let i = 0; i < luma.length; i++) {
    luma[i] = Math.exp(shares[i]! * (evenLuma![i]! + detail[i]! + hairs[i]!));
    colour[i] = Math.exp(shares[i]! * evenColour![i]!);
  }
  const hides = resized(luma, side, COARSE_SIDE).map((factor) => ramp(HIDING_LUMA, factor));
  return { side, score, luma, colour, hides };
}

/**
 * Returns how much of each texel is beard, 0..1. It is continued beside the network's window, up to
 * the ears, and taken from the other side where that is shown better.
 */
function sharesOf(
  { shares }: Front,
  shown: Float32Array,
  layout: AtlasLayout,
  make: PlaneMaker,
): Float32Array {
  const { side } = layout;
  const share = frontAt(shares.beard, side, make);
  const first = Math.ceil(((WINDOW.left + WINDOW_EDGE_TEXELS) * side) / NETWORK_SIDE);
  for (let row = 0; row < share.length; row += side) {
    share.fill(share[row + first]!, row, row + first);
    share.fill(share[row + side - 1 - first]!, row + side - first, row + side);
  }
  const seen = make.copyOf(share);
  for (let i = 0; i < share.length; i++) {
    const other = mirrorTexel(i, side);
    share[i]! += (1 - shown[i]!) * shown[other]! * (seen[other]! - seen[i]!);
  }
  boxBlur(share, side, side, EDGE_RADIUS_TEXELS, 2);
  const zone = beardArea(layout);
  for (let i = 0; i < share.length; i++) share[i] = zone[i]! * ramp(WORN_SHARE, share[i]!);
  return share;
}

/**
 * All of the face but the sides above the jaw, where a sideboard without the hair above it looks
 * like a spike.
 */
const beardArea = perLayout(({ side, oval }: RegionMasks): Float32Array => {
  const sides = zonePlane(side, ZONES.sideboards);
  return oval.map((inside, i) => inside * (1 - sides[i]!));
});

/**
 * Compares a seen face with the shaven one. Returns logarithms of factors.
 * @param skin luma by the shading model: behind a beard the network's skin may be too dark, and
 * near the ears it is not shaven
 */
function factorsOf(
  seen: AtlasColours,
  shaven: AtlasColours,
  skin: Float32Array,
): Pick<Beard, 'luma' | 'colour'> {
  const luma = new Float32Array(shaven.luma.length);
  const colour = new Float32Array(luma.length);
  for (let i = 0; i < luma.length; i++) {
    // A face in the dark, from which a shade was taken, may have less than no luma.
    const dark = Math.max(0, seen.luma[i]!) + LUMA_NOISE_FLOOR;
    const bright = Math.max(0, shaven.luma[i]!, skin[i]!) + LUMA_NOISE_FLOOR;
    const ratio = clamp(dark / bright, MIN_LUMA, MAX_LUMA);
    luma[i] = Math.log(ratio);
    const [blue, red] = [ratio * shaven.blue[i]!, ratio * shaven.red[i]!];
    const along = (seen.blue[i]! * blue + seen.red[i]! * red + 1) / (blue * blue + red * red + 1);
    const most = 1 + (MAX_COLOUR - 1) * ramp(HAIR_COLOUR, ratio);
    colour[i] = Math.log(Math.min(1, ratio) * clamp(along, MIN_COLOUR, most));
  }
  return { luma, colour };
}

/**
 * Fills a coarse plane where it has little weight, and copies to each side what the other side
 * shows better, in place.
 */
function evenOut(plane: Float32Array, weight: Float32Array, make: PlaneMaker): void {
  pushPull([plane], weight, COARSE_SIDE);
  const smooth = make.copyOf(plane);
  boxBlur(smooth, COARSE_SIDE, COARSE_SIDE, EVEN_RADIUS_TEXELS, 2);
  for (let i = 0; i < plane.length; i++) {
    const other = mirrorTexel(i, COARSE_SIDE);
    const share = (weight[other]! + EPSILON) / (weight[i]! + weight[other]! + 2 * EPSILON);
    plane[i]! += share * (smooth[other]! - smooth[i]!);
  }
}

/** Puts a beard on a shaven face. Returns a new atlas. */
export function bearded(face: Atlas, beard: Beard, make: PlaneMaker): Atlas {
  const worn = copyColours(face, make);
  for (let i = 0; i < beard.luma.length; i++) {
    worn.luma[i]! *= beard.luma[i]!;
    worn.blue[i]! *= beard.colour[i]!;
    worn.red[i]! *= beard.colour[i]!;
  }
  return { ...worn, facing: face.facing };
}
