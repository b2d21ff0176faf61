import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { enlargeSquare } from '@guise/kernels/scale/plane-scale.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import type { Atlas } from '../uv/atlas.ts';
import { shrinkAtlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { dropSpecks } from './drop-specks.ts';
import { followRims } from './follow-rims.ts';
import { closeGaps, glassesBand, wholePlane } from './glasses-band.ts';
import { keepGlare } from './lens-glare.ts';
import { lineStrength } from './line-strength.ts';
import { keepOpaqueLenses } from './opaque-lenses.ts';
import { drawRims } from './rim-bands.ts';
import { rimEvidence } from './rim-evidence.ts';
import { insideOf, tracePaths } from './rim-paths.ts';

/** Glasses of a target that stay in front of its face, 0..1. */
export interface KeptGlasses {
  /** All of them, with arms and glare: a plane of the atlas's size. */
  readonly all: Float32Array;
  /** Rims around the lenses, and the bridge: a plane of the atlas's size or smaller. */
  readonly rims: Float32Array;
}

/** Largest side of the atlas in which rims are traced, texels. */
const MAX_TRACED_SIDE = 256;
/** Half the distance between two lines that are the edges of one clear frame, sides. */
const CLEAR_RADIUS_SIDES = 1 / 80;
/** Coverage, blurred by a texel, over which glasses are opaque: a texel wider than was found. */
const EDGE: Ramp = { from: 0.1, to: 0.5 };

/**
 * Finds all that belongs to the glasses of a target that wears some, so that no piece of them goes:
 * loops around both lenses and the bridge, closed where they are faint, what hangs together with
 * them (pads, arms), glare, and lenses that nothing is seen through.
 */
export function keepGlasses(
  full: Atlas,
  layouts: (side: number) => AtlasLayout,
  model: SkinModel,
): KeptGlasses {
  const side = Math.min(full.side, MAX_TRACED_SIDE);
  const atlas = side === full.side ? full : shrinkAtlas(full, side);
  const layout = layouts(side);
  const band = glassesBand(side);
  const lines = lineStrength(atlas, layout, band, model.red);
  const evidence = rimEvidence(lines, atlas, layout, band, model);
  const { lenses, bridge } = tracePaths(lines, band, layout);
  const kept = new Float32Array(lines.length);
  drawRims(lenses, bridge, evidence, layout.lids, band, kept);
  const rims = wholePlane(kept, band);
  const inside = insideOf(lenses, band);
  followRims(evidence, atlas.facing, inside, layout, band, kept);
  closeGaps(kept, band, CLEAR_RADIUS_SIDES);
  dropSpecks(kept, band);
  keepGlare(atlas, layout, model, inside, band, kept);
  keepOpaqueLenses(atlas, model, inside, band, kept);
  boxBlur(kept, side, band.rows, 1, 2);
  const { oval } = layout;
  for (let k = 0; k < kept.length; k++) kept[k] = oval[k + band.top * side]! * ramp(EDGE, kept[k]!);
  const all = wholePlane(kept, band);
  return { all: side === full.side ? all : enlargeSquare(all, side, full.side / side), rims };
}
