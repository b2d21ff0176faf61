import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { boxBlur, boxRadius } from '@guise/kernels/filter/box-blur.ts';
import { pushPull } from '@guise/kernels/filter/push-pull.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import { perLayout, residentCopy } from '../uv/atlas-layout.ts';

/** Foreign share of what is around an eye's lids over which brow and lids are given up. */
const LIDS_COVER: Ramp = { from: 0.2, to: 0.3 };
/**
 * Foreign share of what is around the brow over which hair lies on it, as it does before it reaches
 * the eye; darkness beside an eye is shade.
 */
const BROW_COVER: Ramp = { from: 0.35, to: 0.45 };
/** Foreign share around the other eye over which it ceases to be able to stand in. */
const OTHER_EYE_COVER: Ramp = { from: 0.17, to: 0.1 };
/** Foreign share of what is around the lids from which hair lies over the eye itself. */
const MIN_EYE_COVER = 0.4;
/**
 * Reach of what belongs to an eye beyond brow and lids, in sides of the atlas: as far as from one
 * to the other.
 */
const EYE_REACH_SIDES = 1 / 32;

/** An eye over which hair lies, and the other is free to stand in. */
export interface CoveredEye {
  /** 0 or 1: index of `EYES`, and the half of the atlas. */
  readonly eye: 0 | 1;
  /** Whether the eye itself is covered, not only its brow and lids. */
  readonly isWhole: boolean;
  /** What is given up, 0..1. */
  readonly area: Float32Array;
}

/** 1 where bare skin says what lies over the features beside it. */
const besideFeatures = perLayout(({ oval, features }: RegionMasks): Float32Array =>
  residentCopy(oval.map((inside, i) => (features[i]! < 0.1 ? inside : 0))),
);

/** Brows, lids and what is between them, soft. */
const eyeAreas = perLayout(({ side, lids, browArea }: RegionMasks): Float32Array => {
  const areas = lids.map((lid, i) => Math.max(lid, browArea[i]!));
  boxBlur(areas, side, side, boxRadius(EYE_REACH_SIDES * side), 2);
  return areas.map((area) => smoothstep(0.15, 0.45, area));
});

/** Texels of lids and of brows, by half of the face. */
const areaTexels = perLayout(({ side, lids, browArea }: RegionMasks) => {
  const halvesOf = (area: Float32Array): Uint32Array[] =>
    [0, 1].map((half) =>
      Uint32Array.from(area.keys()).filter((i) => area[i] !== 0 && (i % side < side >> 1 ? 0 : 1) === half),
    );
  return { lids: halvesOf(lids), brows: halvesOf(browArea) };
});

/** The eye that what is `foreign` (0..1, of the layout's size) lies over; null: none, or both. */
export function findCoveredEye(
  foreign: Float32Array,
  layout: RegionMasks,
  make: PlaneMaker,
): CoveredEye | null {
  const { side, lids, softEyes, browArea } = layout;
  const over = make.copyOf(foreign);
  pushPull([over], besideFeatures(layout), side);
  const texels = areaTexels(layout);
  const right = coverOf(over, lids, texels.lids[0]!);
  const left = coverOf(over, lids, texels.lids[1]!);
  const eye = right > left ? 0 : 1;
  const cover = Math.max(right, left);
  const share =
    ramp(OTHER_EYE_COVER, Math.min(right, left)) *
    ramp(LIDS_COVER, cover) *
    ramp(BROW_COVER, coverOf(over, browArea, texels.brows[eye]!));
  if (share === 0) return null;
  const isWhole = share === 1 && cover >= MIN_EYE_COVER;
  const areas = eyeAreas(layout);
  const area = make.floats(side * side);
  const half = side >> 1;
  for (let y = 0; y < side; y++) {
    for (let i = y * side + eye * half, end = i + half; i < end; i++) {
      area[i] = share * areas[i]! * (isWhole ? 1 : (1 - softEyes[i]!) * smoothstep(0.1, 0.4, over[i]!));
    }
  }
  return { eye, isWhole, area };
}

/** Mean of `over` on some texels of an `area`. */
function coverOf(over: Float32Array, area: Float32Array, texels: Uint32Array): number {
  let sum = 0;
  let weight = 0;
  for (let k = 0; k < texels.length; k++) {
    const i = texels[k]!;
    sum += area[i]! * over[i]!;
    weight += area[i]!;
  }
  return sum / weight;
}
