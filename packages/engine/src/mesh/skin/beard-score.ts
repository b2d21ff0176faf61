import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { BeardParts } from './beard-parts.ts';
import { beardParts, darkerPart, seenMedian } from './beard-parts.ts';
import { colourTells, skinToned } from './not-skin.ts';
import type { SkinModel } from './skin-model.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import type { Atlas } from '../uv/atlas.ts';

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
/** Difference of that darkness between the sides over which it is the shade of hard light. */
const EDGE_DIFFERENCE: Ramp = { from: 0.33, to: 0.23 };
/** Score from which a face is bearded. */
const MIN_SCORE = 0.5;

/**
 * Scores how surely a face wears a beard that hides its skin, 0..1: by a chin, or a moustache that
 * goes on around the chin, that is darker than the cheeks on either side. A shadow lies on one.
 */
export function beardScore(
  small: Atlas,
  layout: AtlasLayout,
  model: SkinModel,
  make: PlaneMaker = ordinaryPlanes,
): number {
  const sides = beardParts(layout);
  const chin = leastKnown(sides.map((parts) => scoreChin(small, parts, model, make)));
  const moustache = leastKnown(sides.map((parts) => scoreMoustache(small, parts, make)));
  const edge = scoreEdge(sides.map((parts) => darkerPart(small, parts.cheek, parts.edge, make)));
  return Math.max(chin, moustache * edge);
}

/** Tells whether a single picture with this score shows a bearded face. */
export function scoresBearded(score: number): boolean {
  return score >= MIN_SCORE;
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
  return leastKnown(beardParts(layout).map(({ cheek, tip }) => darkerPart(small, cheek, tip, make)));
}

/** Scores how surely one half of the chin is bearded and not shaded skin; null: it is not seen. */
function scoreChin(
  small: Atlas,
  { cheek, chin }: BeardParts,
  model: SkinModel,
  make: PlaneMaker,
): number | null {
  const darker = darkerPart(small, cheek, chin, make);
  if (darker === null) return null;
  const luma = seenMedian(small, small.luma, chin, make) ?? 0;
  const red = seenMedian(small, small.red, chin, make) ?? 0;
  const grey = (1 - colourTells(model.red)) * GREY_DARKNESS;
  return ramp(CHIN_DARKNESS, darker - grey) * (1 - skinToned(model, luma, red));
}

/** Scores how surely one half of the upper lip wears a moustache; null: it is not seen. */
function scoreMoustache(
  small: Atlas,
  { cheek, lip, besideLip }: BeardParts,
  make: PlaneMaker,
): number | null {
  const darker = darkerPart(small, cheek, lip, make);
  if (darker === null) return null;
  const contrast = darkerPart(small, besideLip, lip, make);
  return ramp(MOUSTACHE_DARKNESS, darker) * (contrast === null ? 1 : ramp(MOUSTACHE_CONTRAST, contrast));
}

/** 0 where none is known. */
function leastKnown(values: readonly (number | null)[]): number {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? 0 : Math.min(...known);
}

/** Scores how surely the chin's edge is bearded, by its darkness on the sides that are seen. */
function scoreEdge(sides: readonly (number | null)[]): number {
  const known = sides.filter((darkness) => darkness !== null);
  if (known.length === 0) return 0;
  const least = Math.min(...known);
  const most = Math.max(...known);
  return ramp(EDGE_DARKNESS, (least + most) / 2) * ramp(EDGE_DIFFERENCE, most - least);
}
