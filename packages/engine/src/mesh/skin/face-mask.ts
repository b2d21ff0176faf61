import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { Atlas } from '../uv/atlas.ts';
import { LUMA_NOISE_FLOOR } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE, perLayout } from '../uv/atlas-layout.ts';
import { bareSkin, floodFrom } from './foreign-skin.ts';
import { medianOf } from './skin-model.ts';

/** Vertices of the forehead, of which the median tells its skin. */
const FOREHEAD = [151, 108, 337];
/** Vertex of the nose's root, between the eyes: bare under a fringe, and above a mask. */
const NOSE_ROOT = 168;
/** Vertices of what a mask covers: tip of the nose, cheeks, both lips, chin. */
const MASKED = [4, 205, 425, 0, 17, 199];
/** Vertex under which a mask begins, below the eyes. */
const MASK_TOP = 6;
/** Half the side of the square that is looked at around a vertex, texels. */
const PATCH_TEXELS = 3;

/** Redness of skin, red difference over luma, below which a picture's colours tell nothing. */
const LEAST_REDNESS = 0.035;
/**
 * Share of the forehead's redness up to which all of the lower face is a mask: of 124 bare faces
 * none has less than 0.97 at its reddest place, its lips.
 */
const MOST_MASK_REDNESS = 0.6;
/** Share of that redness over which a texel is skin. */
const MASK_EVIDENCE: Ramp = { from: 0.85, to: 0.6 };

/** What covers nose, mouth and chin, and the skin that it leaves bare: coarse planes, 0..1. */
export interface FaceMask {
  readonly covered: Float32Array;
  /** Texels from which the face's skin can be learnt. */
  readonly bare: Float32Array;
}

/**
 * Finds a mask before nose and mouth by what no bare face has: lips, chin, nose and cheeks that are
 * all far greyer or bluer than the forehead. Null where there is none, or no colour to tell by.
 */
export function findMask(small: Atlas, layout: AtlasLayout, make: PlaneMaker): FaceMask | null {
  const forehead = medianOf(Float64Array.from(FOREHEAD, (vertex) => rednessAt(small, layout, vertex)));
  // A fringe is redder than skin or less so; the less sure of the two counts.
  const skin = Math.min(forehead, rednessAt(small, layout, NOSE_ROOT));
  if (skin < LEAST_REDNESS) return null;
  if (MASKED.some((vertex) => rednessAt(small, layout, vertex) > MOST_MASK_REDNESS * skin)) return null;
  const covered = coveredFrom(small, layout, skin, make);
  const bare = make.copyOf(bareSkin(layout));
  for (let i = 0; i < bare.length; i++) bare[i]! *= (1 - covered[i]!) * (1 - layout.hairZone[i]!);
  return { covered, bare };
}

/** All that hangs together with the oval's lower edge and is not as red as skin, and what is below. */
function coveredFrom(small: Atlas, layout: AtlasLayout, skin: number, make: PlaneMaker): Float32Array {
  const top = topRow(layout);
  const evidence = make.floats(small.luma.length);
  for (let i = top * COARSE_SIDE; i < evidence.length; i++)
    if (layout.oval[i]! > 0) evidence[i] = ramp(MASK_EVIDENCE, rednessOf(small, i) / skin);
  const covered = floodFrom(evidence, evidence, layout, 1, null, make);
  for (let i = (top + 1) * COARSE_SIDE; i < covered.length; i++)
    if (covered[i - COARSE_SIDE]! > 0 && layout.oval[i]! > 0) covered[i] = 1;
  return covered;
}

/** First row that a mask may cover. */
const topRow = perLayout(({ points }: AtlasLayout): number => Math.floor(points[2 * MASK_TOP + 1]!));

function rednessAt(small: Atlas, { points }: AtlasLayout, vertex: number): number {
  const x = Math.floor(points[2 * vertex]!);
  const y = Math.floor(points[2 * vertex + 1]!);
  const values: number[] = [];
  for (let row = y - PATCH_TEXELS; row <= y + PATCH_TEXELS; row++)
    for (let column = x - PATCH_TEXELS; column <= x + PATCH_TEXELS; column++)
      values.push(rednessOf(small, row * COARSE_SIDE + column));
  return medianOf(Float64Array.from(values));
}

function rednessOf({ luma, red }: Atlas, texel: number): number {
  return red[texel]! / (luma[texel]! + LUMA_NOISE_FLOOR);
}
