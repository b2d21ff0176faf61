import { normalisedBlur } from '@guise/kernels/filter/normalised-blur.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { COARSE_SIDE, perLayout } from '../uv/atlas-layout.ts';
import { bareSkin } from '../uv/bare-skin.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import { ZONES, zonePlane } from '../uv/zones.ts';
import { type Front, frontAt } from './front.ts';

/** Facing below which a texel is ignored. */
const MIN_FACING = 0.3;
/**
 * Share of beard on the chin from which a chin counts as bearded. Stubble, which is shaved, has up
 * to 0.4.
 */
const MIN_SCORE = 0.45;
/**
 * Largest lead of the target's `beardScore` over the source's with which the source's beard
 * replaces the target's. A beard that is much thinner would look patchy beside the rest of it.
 */
const MAX_LEAD = 0.12;
/** Blurred share of beard. 0 at `from`: the texel is bare; 1 at `to`: the beard covers it. */
const COVERED_SHARE: Ramp = { from: 0.2, to: 0.6 };
/** Radius of the box blur that closes a beard's gaps and softens its edge, coarse texels. */
const CLOSING_RADIUS_TEXELS = 2;

/** Coarse planes: bare skin, chin, and the zone of mouth and chin. */
const beardZones = perLayout((layout: RegionMasks) => {
  const bare = bareSkin(layout);
  return {
    bare,
    chin: zonePlane(COARSE_SIDE, ZONES.chin).map((share, i) => share * bare[i]!),
    mouthAndChin: zonePlane(COARSE_SIDE, ZONES.mouthAndChin).map((share, i) => share * layout.oval[i]!),
  };
});

/**
 * Scores how much of a chin a beard covers, 0..1; such a beard continues below the mesh.
 * @param facing coarse plane of the face @param layout coarse
 */
export function beardScore(
  front: Front,
  facing: Float32Array,
  layout: RegionMasks,
  make: PlaneMaker,
): number {
  return meanIn(beardAt(front, make), beardZones(layout).chin, facing);
}

/** Returns whether a single picture with this score shows a bearded face. */
export function scoresBearded(score: number): boolean {
  return score >= MIN_SCORE;
}

/**
 * Returns whether a target with this score keeps its beard.
 * @param sourceScore score of the source's beard, 0 without
 */
export function keepsBeard(score: number, sourceScore: number): boolean {
  return scoresBearded(score) && score > sourceScore + MAX_LEAD;
}

/**
 * Returns the share of each coarse texel, 0..1, that belongs to the beard of a bearded face: all of
 * moustache, mouth and chin, and the hairs around them without gaps, with a soft edge. Half a beard
 * would be obvious.
 * @param layout coarse
 */
export function beardCover(front: Front, layout: RegionMasks, make: PlaneMaker): Float32Array {
  const { bare, mouthAndChin } = beardZones(layout);
  const cover = beardAt(front, make);
  normalisedBlur([cover], make.copyOf(bare), COARSE_SIDE, COARSE_SIDE, CLOSING_RADIUS_TEXELS);
  for (let i = 0; i < cover.length; i++)
    cover[i] = layout.oval[i]! * Math.max(mouthAndChin[i]!, ramp(COVERED_SHARE, cover[i]!));
  return cover;
}

/** Returns the share of beard in each coarse texel, 0..1. */
function beardAt(front: Front, make: PlaneMaker): Float32Array {
  return frontAt(front.shares.beard, COARSE_SIDE, make);
}

/** Averages the beard over the part of a zone that faces the camera; 0 if no part does. */
function meanIn(beard: Float32Array, zone: Float32Array, facing: Float32Array): number {
  let sum = 0;
  let area = 0;
  for (let i = 0; i < beard.length; i++) {
    if (facing[i]! < MIN_FACING) continue;
    sum += zone[i]! * beard[i]!;
    area += zone[i]!;
  }
  return area === 0 ? 0 : sum / area;
}
