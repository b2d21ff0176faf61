import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { colourTells, relativeDarkness, skinToned } from './not-skin.ts';
import type { SkinModel } from './skin-model.ts';
import { medianOf } from './skin-model.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { beardlessCore, COARSE_SIDE, perLayout } from '../uv/atlas-layout.ts';
import type { Atlas } from '../uv/atlas.ts';
import { midlineDistance } from '../uv/texel.ts';

/** Facing from which a texel tells. */
const MIN_FACING = 0.3;
/** Texels of a part that have to tell, or it tells nothing. */
const MIN_TEXEL_COUNT = 20;
/** Relative darkness of the chin against the cheeks over which it is a beard and no stubble. */
const CHIN_DARKNESS: Ramp = { from: 0.24, to: 0.31 };
/** Darkness that is added to both without colours, which would tell a shade. */
const GREY_DARKNESS = 0.14;
/** Relative darkness of the upper lip against the cheeks over which it wears a moustache. */
const MOUSTACHE_DARKNESS: Ramp = { from: 0.22, to: 0.34 };
/** Relative darkness against the skin beside it over which that is hair and no shade. */
const MOUSTACHE_CONTRAST: Ramp = { from: 0.02, to: 0.14 };
/** Relative darkness of the chin's edge against the cheeks over which the moustache is joined. */
const EDGE_DARKNESS: Ramp = { from: 0.16, to: 0.24 };

/** Score from which a face is bearded. */
const MIN_SCORE = 0.5;

/** Part of either half of the face, in sides: distance from the midline, and height. */
interface Box {
  readonly inner: number;
  readonly outer: number;
  readonly top: number;
  readonly bottom: number;
}

/** Upper lip below the nose. */
const UPPER_LIP: Box = { inner: 0, outer: 0.11, top: 0.61, bottom: 0.65 };
/** Cheek beside it, beyond where moustaches end. */
const BESIDE_LIP: Box = { inner: 0.17, outer: 0.23, top: 0.6, bottom: 0.65 };
/** Edge of the chin and the jaw. */
const CHIN_EDGE: Box = { inner: 0, outer: 0.5, top: 0.85, bottom: 1 };
/** Lower edge of the chin, where stubble is densest. */
const CHIN_TIP: Box = { inner: 0, outer: 0.2, top: 0.87, bottom: 1 };

/** Parts of one half of the face whose medians tell a beard: numbers of their coarse texels. */
interface Parts {
  readonly cheek: readonly number[];
  readonly chin: readonly number[];
  readonly lip: readonly number[];
  readonly besideLip: readonly number[];
  readonly edge: readonly number[];
  readonly tip: readonly number[];
}

const partsOf = perLayout((layout: AtlasLayout): readonly [Parts, Parts] => {
  const core = beardlessCore(layout);
  const { oval, features, chin } = layout;
  const half = (side: number): Parts => {
    const texels = (isIn: (i: number) => boolean): number[] =>
      Array.from(oval.keys()).filter(
        (i) => oval[i]! > 0 && features[i]! <= 0.5 && sideOf(i) === side && isIn(i),
      );
    return {
      cheek: texels((i) => core[i]! > 0.5),
      chin: texels((i) => chin[i]! >= 0.5),
      lip: texels((i) => isInBox(UPPER_LIP, i)),
      besideLip: texels((i) => isInBox(BESIDE_LIP, i)),
      edge: texels((i) => isInBox(CHIN_EDGE, i)),
      tip: texels((i) => isInBox(CHIN_TIP, i)),
    };
  };
  return [half(0), half(1)];
});

/**
 * Scores how surely a face wears a beard that hides its skin, 0..1 and more than 0.5 if so: by a
 * chin, or a moustache that goes on to the chin, that is darker than the cheeks on either side. A
 * shadow lies on one.
 */
export function beardScore(
  small: Atlas,
  layout: AtlasLayout,
  model: SkinModel,
  make: PlaneMaker = ordinaryPlanes,
): number {
  const sides = partsOf(layout).map((parts) => measureSide(small, parts, model, make));
  const least = (measure: (side: SideMeasures) => number): number => Math.min(...sides.map(measure));
  const [first, second] = sides as [SideMeasures, SideMeasures];
  const chin = least((side) => side.chin);
  const moustache = least((side) => side.moustache);
  const edge = ramp(EDGE_DARKNESS, meanOfKnown(first.edge, second.edge));
  return Math.max(chin, moustache * edge);
}

/**
 * Measures how much darker than the cheeks the chin's lower edge is, as a share, on the side where
 * it is less so; 0 where neither is seen.
 */
export function chinTipDarkness(
  small: Atlas,
  layout: AtlasLayout,
  make: PlaneMaker = ordinaryPlanes,
): number {
  const sides = partsOf(layout).map(({ cheek, tip }) => darkerPart(small, cheek, tip, make));
  const known = sides.filter((darkness) => darkness !== null);
  return known.length === 0 ? 0 : Math.min(...known);
}

/** Tells whether a single picture with this score shows a bearded face. */
export function scoresBearded(score: number): boolean {
  return score >= MIN_SCORE;
}

/** Scores of one half of a face; 1, and no darkness, where next to nothing is seen of it. */
interface SideMeasures {
  readonly chin: number;
  readonly moustache: number;
  readonly edge: number | null;
}

function measureSide(small: Atlas, parts: Parts, model: SkinModel, make: PlaneMaker): SideMeasures {
  const median = (plane: Float32Array, texels: readonly number[]): number | null =>
    seenMedian(small, plane, texels, make);
  const chinLuma = median(small.luma, parts.chin);
  const lipLuma = median(small.luma, parts.lip);
  const cheek = median(small.luma, parts.cheek);
  const chin = darkerThan(cheek, chinLuma);
  const lip = darkerThan(cheek, lipLuma);
  const contrast = darkerThan(median(small.luma, parts.besideLip), lipLuma);
  const grey = (1 - colourTells(model.red)) * GREY_DARKNESS;
  const shade = skinToned(model, chinLuma ?? 0, median(small.red, parts.chin) ?? 0);
  return {
    chin: chin === null ? 1 : ramp(CHIN_DARKNESS, chin - grey) * (1 - shade),
    moustache:
      lip === null
        ? 1
        : ramp(MOUSTACHE_DARKNESS, lip) * (contrast === null ? 1 : ramp(MOUSTACHE_CONTRAST, contrast)),
    edge: darkerPart(small, parts.cheek, parts.edge, make),
  };
}

/** Measures how much darker than the cheek a part is; null: one of them is not seen. */
function darkerPart(
  small: Atlas,
  cheek: readonly number[],
  part: readonly number[],
  make: PlaneMaker,
): number | null {
  const { luma } = small;
  return darkerThan(seenMedian(small, luma, cheek, make), seenMedian(small, luma, part, make));
}

/** Median of the texels that face the camera; null: there are too few. */
function seenMedian(
  { facing }: Atlas,
  plane: Float32Array,
  texels: readonly number[],
  make: PlaneMaker,
): number | null {
  const seen = make.uninitialised(texels.length);
  let count = 0;
  for (const i of texels) if (facing[i]! >= MIN_FACING) seen[count++] = plane[i]!;
  return count < MIN_TEXEL_COUNT ? null : medianOf(seen.subarray(0, count));
}

function darkerThan(expected: number | null, luma: number | null): number | null {
  return expected === null || luma === null ? null : relativeDarkness(expected, luma);
}

/** 0 where neither is known. */
function meanOfKnown(one: number | null, other: number | null): number {
  return ((one ?? other ?? 0) + (other ?? one ?? 0)) / 2;
}

function sideOf(texel: number): number {
  return texel % COARSE_SIDE < COARSE_SIDE / 2 ? 0 : 1;
}

function isInBox({ inner, outer, top, bottom }: Box, texel: number): boolean {
  const aside = midlineDistance(texel, COARSE_SIDE);
  const v = Math.floor(texel / COARSE_SIDE) / COARSE_SIDE;
  return aside >= inner && aside < outer && v >= top && v < bottom;
}
