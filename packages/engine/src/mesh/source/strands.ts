import { pushPull } from '@guise/kernels/filter/push-pull.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { bareSkin, floodFrom, foreignSkin, usualStrictness } from '../skin/foreign-skin.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import { midlineDistance } from '../uv/texel.ts';
import { fillLocks } from './fill-locks.ts';
import { darkness } from './skin-darkness.ts';
import { softTails, strandStrictness, thinStrands } from './strand-zones.ts';

/** Distance from the midline within which what is dark below the forehead is the nose's shade. */
const NOSE_INNER_SIDES = 0.12;
/** Distance from which on it may be a strand. */
const NOSE_OUTER_SIDES = 0.17;
/** Share that a strand or its shadow is darker than its mirror image, each against its skin. */
const ODD = 0.09;
/** Share that it is where a brow or lid is. */
const ODD_FEATURE = 0.1;
/** Share that a thin strand is darker than skin, though it may be skin by its colour. */
const THIN = 0.12;
/** Share of a brow's or lid's surroundings that is hair from which on it may be crossed. */
const BESIDE = 0.1;
/** Share from which on its tail surely is hidden. */
const BEHIND = 0.3;
/** Distance from the midline beyond which a source is filled whatever it shows. */
const FILLED_SIDES = 0.27;

/**
 * Finds hair over a source's face with the shadow it throws: 0..1, coarse. From what is no skin at
 * the edge it follows what is odd by its colour and darker than its mirror image.
 * @param bearded 0..1; whiskers of somebody bearded are no part of it
 * @param unseen coarse, or null: hair may hang in from there, too
 */
export function findStrands(
  small: Atlas,
  layout: AtlasLayout,
  model: SkinModel,
  bearded: number,
  unseen: Float32Array | null,
  make: PlaneMaker = ordinaryPlanes,
): Float32Array {
  const bare = bareSkin(layout);
  const seeds = foreignSkin(small, layout, model, null, bare, usualStrictness(layout), make);
  const lead = foreignSkin(small, layout, model, null, bare, strandStrictness(layout), make);
  const sure = floodFrom(seeds, seeds, layout, 1, unseen, make);
  pushPull([sure], bare, COARSE_SIDE);
  // Read once: asked for every texel, planes that are made at first use box what they give.
  const { beardZone, centre, browArea, browTails, lids } = layout;
  const thin = thinStrands(layout);
  for (let i = 0; i < lead.length; i++) {
    const possible =
      (1 - bearded * beardZone[i]!) *
      (1 - centre[i]! * smoothstep(NOSE_OUTER_SIDES, NOSE_INNER_SIDES, midlineDistance(i, COARSE_SIDE)));
    const mirrored = i - (i % COARSE_SIDE) + COARSE_SIDE - 1 - (i % COARSE_SIDE);
    const darker = darkness(small, model, i) - darkness(small, model, mirrored);
    const isFeature = bare[i]! < 0.5 && browArea[i]! + lids[i]! > 0.5;
    const odd = isFeature
      ? Math.max(
          smoothstep(ODD_FEATURE, 2 * ODD_FEATURE, darker) * smoothstep(BESIDE, BEHIND, sure[i]!),
          browTails[i]! * smoothstep(BEHIND, 2 * BEHIND, sure[i]!),
        )
      : Math.max(lead[i]!, thin[i]! * smoothstep(THIN, 2 * THIN, darkness(small, model, i))) *
        smoothstep(ODD, 2 * ODD, darker);
    seeds[i]! *= possible;
    lead[i] = Math.max(seeds[i]!, possible * odd);
    // The sides are filled whatever they show: what hangs together there may be hair.
    if (midlineDistance(i, COARSE_SIDE) > FILLED_SIDES) seeds[i] = lead[i]!;
  }
  const strands = floodFrom(seeds, lead, layout, FILLED_SIDES, unseen, make);
  fillLocks(strands, layout);
  // Brows end softly in the hair around their tails.
  const over = make.copyOf(strands);
  pushPull([over], bare, COARSE_SIDE);
  const tails = softTails(layout);
  for (let i = 0; i < over.length; i++) {
    const hidden = tails[i]! * smoothstep(BESIDE, 2 * BEHIND, over[i]!);
    if (hidden > strands[i]!) strands[i] = hidden;
  }
  return strands;
}
