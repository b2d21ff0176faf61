import { pushPull } from '@guise/kernels/filter/push-pull.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { bareSkin, floodFrom, foreignSkin, usualStrictness } from '../skin/foreign-skin.ts';
import { maxInPlace } from '@guise/kernels/filter/max-in-place.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import { judgeByHue } from './judge-by-hue.ts';
import { decideBrows } from './kept-brows.ts';

/** Share of its surroundings that are covered from which on a feature may be behind. */
const MOST_COVERED = 0.45;
/** Share from which on it surely is behind. */
const SURELY_COVERED = 0.7;

/**
 * Finds what hangs in from the oval's edge in front of a face (hair, a hand, a mask): 0..1, coarse.
 * Texels that are not this face's skin and hang together with the edge; eyes and mouth are behind
 * it where their surroundings are, brows as `decideBrows` says.
 * @param frames of glasses, in the full atlas's size, or null: they are no part of it
 * @param beard what of a beard is kept, coarse, or null: it is part of it
 */
export function findForeground(
  small: Atlas,
  layout: AtlasLayout,
  model: SkinModel,
  frames: Float32Array | null,
  beard: Float32Array | null,
  make: PlaneMaker = ordinaryPlanes,
): Float32Array {
  const bare = bareSkin(layout);
  const evidence = foreignSkin(small, layout, model, frames, bare, usualStrictness(layout), make);
  judgeByHue(evidence, small, layout, model, bare);
  const reached = floodFrom(evidence, evidence, layout, 1, null, make);
  if (beard) maxInPlace(reached, beard);
  overFeatures(reached, bare, layout, make);
  decideBrows(reached, layout, frames, make);
  // Its lips are part of it, whatever is around them.
  if (beard) maxInPlace(reached, beard);
  return reached;
}

/** A feature is behind what its surroundings are behind. In place. */
function overFeatures(
  reached: Float32Array,
  bare: Float32Array,
  layout: AtlasLayout,
  make: PlaneMaker,
): void {
  const around = make.copyOf(reached);
  pushPull([around], bare, COARSE_SIDE);
  for (let i = 0; i < reached.length; i++) {
    if (layout.oval[i] === 0) reached[i] = 0;
    else reached[i]! += (1 - bare[i]!) * (smoothstep(MOST_COVERED, SURELY_COVERED, around[i]!) - reached[i]!);
  }
}
