import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { pushPull } from '@guise/kernels/filter/push-pull.ts';
import { type Ramp, ramp } from '@guise/kernels/ramp.ts';
import { enlargeSquare, shrinkSquare } from '@guise/kernels/scale/plane-scale.ts';
import { clamp } from '@guise/kernels/clamp.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { type Front, frontAt } from '../front/front.ts';
import { type Atlas, type AtlasColours, copyColours, LUMA_NOISE_FLOOR } from '../uv/atlas.ts';
import { type AtlasLayout, COARSE_SIDE } from '../uv/atlas-layout.ts';
import { mirrorTexel } from '../uv/texel.ts';
import { learnedZones } from './uncover.ts';

/** Radius of the box blur that softens a beard's edge, texels of `FRONT_SIDE`; applied twice. */
const EDGE_RADIUS_TEXELS = 2;
/**
 * Blurred share of beard. 0 at `from`: there is none; 1 at `to`: it is whole. Stubble is in
 * between.
 */
const WORN_SHARE: Ramp = { from: 0.3, to: 0.95 };
/** Least and largest factor on luma: a black beard, and a grey one on a dark face. */
const [MIN_LUMA, MAX_LUMA] = [0.05, 1.3];
/** Least and largest factor on colour, beyond that of luma: black hair is greyer than skin. */
const [MIN_COLOUR, MAX_COLOUR] = [0.4, 1];
/**
 * Facing of a texel. 0 at `from`: the photo may show a background; 1 at `to`: it shows the beard.
 */
const SHOWN_FACING: Ramp = { from: 0.1, to: 0.35 };
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
}

/** What was found of a beard in a photo. */
interface FoundBeard {
  readonly front: Front;
  /** Coarse plane of the face. */
  readonly facing: Float32Array;
  readonly score: number;
}

/**
 * Returns the beard that makes the difference between a seen face and the same face shaven. It
 * reaches the jaw, and is about as dense on both sides, although the photo may show only one, or
 * may show one in brighter light.
 * @param layout of `FRONT_SIDE`, or of the atlas's if that is less
 */
export function beardOf(
  seen: AtlasColours,
  shaven: AtlasColours,
  { front, facing, score }: FoundBeard,
  layout: AtlasLayout,
  make: PlaneMaker,
): Beard {
  const { side } = shaven;
  const enlarged = (plane: Float32Array, from: number): Float32Array =>
    enlargeSquare(plane, from, side / from, make.uninitialised(side * side));
  const shrunk = (plane: Float32Array, from: number): Float32Array =>
    shrinkSquare(plane, from, COARSE_SIDE, make.uninitialised(COARSE_SIDE * COARSE_SIDE));
  const share = frontAt(front.shares.beard, layout.side, make);
  boxBlur(share, layout.side, layout.side, EDGE_RADIUS_TEXELS, 2);
  for (let i = 0; i < share.length; i++) share[i] = layout.oval[i]! * ramp(WORN_SHARE, share[i]!);
  const { luma, colour } = factorsOf(seen, shaven);
  const { learned, beyond } = learnedZones(layout.at(COARSE_SIDE));
  const hairs = learned.map((each, i) => each * ramp(SHOWN_FACING, facing[i]!));
  const density = shrunk(share, layout.side);
  for (let i = 0; i < density.length; i++) density[i]! *= hairs[i]! * (1 - beyond[i]!);
  const [shares, seenHairs] = [enlarged(share, layout.side), enlarged(hairs, COARSE_SIDE)];
  for (const plane of [luma, colour]) {
    const smooth = shrunk(plane, side);
    const before = enlarged(smooth, COARSE_SIDE);
    evenOut(smooth, density, make);
    const after = enlarged(smooth, COARSE_SIDE);
    for (let i = 0; i < plane.length; i++)
      plane[i] = Math.exp(shares[i]! * (after[i]! + seenHairs[i]! * (plane[i]! - before[i]!)));
  }
  return { side, score, luma, colour };
}

/** Compares a seen face with the shaven one. Returns logarithms of factors. */
function factorsOf(seen: AtlasColours, shaven: AtlasColours): Pick<Beard, 'luma' | 'colour'> {
  const luma = new Float32Array(shaven.luma.length);
  const colour = new Float32Array(luma.length);
  for (let i = 0; i < luma.length; i++) {
    // A face in the dark, from which a shade was taken, may have less than no luma.
    const dark = Math.max(0, seen.luma[i]!) + LUMA_NOISE_FLOOR;
    const bright = Math.max(0, shaven.luma[i]!) + LUMA_NOISE_FLOOR;
    const ratio = clamp(dark / bright, MIN_LUMA, MAX_LUMA);
    luma[i] = Math.log(ratio);
    const [blue, red] = [ratio * shaven.blue[i]!, ratio * shaven.red[i]!];
    const along = (seen.blue[i]! * blue + seen.red[i]! * red + 1) / (blue * blue + red * red + 1);
    colour[i] = Math.log(Math.min(1, ratio) * clamp(along, MIN_COLOUR, MAX_COLOUR));
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
