import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { normalisedBlur } from '@guise/kernels/filter/normalised-blur.ts';
import { enlargeSquare } from '@guise/kernels/scale/plane-scale.ts';
import type { MatteShares } from '@guise/kernels/face/matte.ts';
import { matte } from '@guise/kernels/face/matte.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { Hand } from '../../face/geometry/hand.ts';
import { maxInPlace } from '@guise/kernels/filter/max-in-place.ts';
import { type Atlas, copyColours } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { mouth, mouthArea } from '../uv/mouth-area.ts';
import { handCoverage } from './hand-coverage.ts';

/** Hands in front of a face. */
export interface HandsBefore {
  /** Certainty that a coarse texel shows a hand, 0..1. */
  readonly coarse: Float32Array;
  /** Share of each texel of the atlas that a hand covers, 0..1, exact along the hand's outline. */
  readonly matte: Float32Array;
}

/**
 * Share of a hand's thickness that counts as hand in any colour, below 1 because poses are
 * inaccurate.
 */
const SURE_THICKNESS = 0.8;
/** Box radius, in two passes, around the hand in which its outline is searched, coarse texels. */
const NEAR_TEXELS = 3;
/** Radius in which the colours of hand and face beside the outline are measured, coarse texels. */
const COLOUR_TEXELS = 4;

/**
 * Limits for the outline. A hand needs less contrast than hair, because it is skin like the face.
 */
const OUTLINE: MatteShares = {
  nearOnset: 0.04,
  nearFull: 0.4,
  deepOnset: 0.8,
  mixed: 0.25,
  pure: 0.7,
  colourWeight: 1.5,
  leastContrast: 8,
};

/**
 * Share of the mouth behind hands. 0 at `from`: the new mouth shows; 1 at `to`: the target's stays.
 */
const HIDDEN_MOUTH: Ramp = { from: 0.06, to: 0.14 };

/**
 * Finds the parts of a face that hands cover: the skeletons, which are certain, and texels around
 * them whose colour is nearer to the hand's than to the face's. Returns null if no hand reaches the
 * face.
 */
export function handsBefore(
  hands: readonly Hand[],
  landmarks: Float32Array,
  atlas: Atlas,
  small: Atlas,
  layout: AtlasLayout,
  make: PlaneMaker,
): HandsBefore | null {
  if (hands.length === 0) return null;
  const coarseLayout = layout.at(COARSE_SIDE);
  const coarse = handCoverage(hands, landmarks, coarseLayout, 1, make);
  if (!coarse) return null;
  const out = make.uninitialised(atlas.side * atlas.side);
  outline(atlas, small, coarse, layout, out, make);
  const sure = handCoverage(hands, landmarks, coarseLayout, SURE_THICKNESS, make)!;
  keepHiddenMouth(coarse, sure, coarseLayout);
  maxInPlace(out, enlargeSquare(sure, COARSE_SIDE, atlas.side / COARSE_SIDE, make.uninitialised(out.length)));
  for (let i = 0; i < out.length; i++) if (layout.oval[i] === 0) out[i] = 0;
  return { coarse, matte: out };
}

/** Adds the mouth to both planes if hands hide a large part of it. */
function keepHiddenMouth(coarse: Float32Array, sure: Float32Array, layout: AtlasLayout): void {
  let covered = 0;
  let area = 0;
  for (const [i, inside] of mouth(layout).entries()) {
    covered += inside * coarse[i]!;
    area += inside;
  }
  const hidden = ramp(HIDDEN_MOUTH, covered / area);
  if (hidden === 0) return;
  const kept = mouthArea(layout).map((share) => hidden * share);
  maxInPlace(coarse, kept);
  maxInPlace(sure, kept);
}

/** Writes to `out` which share of each texel is hand, judged by colour. */
function outline(
  atlas: Atlas,
  small: Atlas,
  covered: Float32Array,
  layout: AtlasLayout,
  out: Float32Array,
  make: PlaneMaker,
): void {
  const near = make.copyOf(covered);
  boxBlur(near, COARSE_SIDE, COARSE_SIDE, NEAR_TEXELS, 2);
  const { oval } = layout.at(COARSE_SIDE);
  const beside = make.uninitialised(near.length);
  for (let i = 0; i < beside.length; i++) beside[i] = oval[i]! * Math.max(0, 1 - 4 * near[i]!);
  const hand = coloursOf(small, covered, make);
  const face = coloursOf(small, beside, make);
  const place = { smallSide: COARSE_SIDE, side: atlas.side, mask: layout.oval };
  matte(atlas, near, hand, face, place, OUTLINE, out);
}

/** Averages the colours around each texel with weights. */
function coloursOf(small: Atlas, weight: Float32Array, make: PlaneMaker) {
  const colours = copyColours(small, make);
  normalisedBlur([colours.luma, colours.blue, colours.red], weight, COARSE_SIDE, COARSE_SIDE, COLOUR_TEXELS);
  return colours;
}
