import { pushPull } from '@guise/kernels/filter/push-pull.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE, perLayout } from '../uv/atlas-layout.ts';
import { bareSkin, floodFrom, foreignSkin, usualStrictness } from '../skin/foreign-skin.ts';
import { relativeDarkness } from '../skin/not-skin.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import { midlineDistance } from '../uv/texel.ts';
import { fillLocks } from './fill-locks.ts';

/** How strictly strands are followed over a source's temples and cheeks, between these distances from the middle. */
const STRAND_STRICTNESS = 0.6;
/** More so below the eyes, in the atlas's height: beside them are sockets and laughter's wrinkles. */
const CHEEK_STRICTNESS = 0.25;
const EYES = 0.45;
const CHEEKS = 0.5;
const STRAND_INNER = 0.15;
const STRAND_OUTER = 0.2;
/** Nearer to the middle of the face than this, below the forehead, what is dark is the shade of the nose. */
const NOSE_INNER = 0.12;
const NOSE_OUTER = 0.17;
/** What is this much darker than its mirror image, each against the skin it lies on, may be a strand or its shadow. */
const ODD = 0.09;
const ODD_FEATURE = 0.1;
/** Beside the cheeks as much darker than the skin is expected, too, though it may be skin by its colour. */
const THIN = 0.12;
const JAW_INNER = 0.16;
const JAW_OUTER = 0.1;
/** Shares of a brow's or lid's surroundings that are hair, from which it may be crossed and its tail surely is hidden. */
const BESIDE = 0.1;
const BEHIND = 0.3;
/** Where brows end, from the middle. */
const TAIL_FROM = 0.14;
const TAIL_FULLY = 0.2;
/** Further aside than this a source is filled anyway. */
const SIDES = 0.27;

/** How strictly a texel is looked at where strands hang: the further aside the more, most of all over the cheeks. */
const strandStrictness = perLayout((layout): Float32Array =>
  usualStrictness(layout).map((usual, i) => {
    const below = smoothstep(EYES, CHEEKS, i / COARSE_SIDE / COARSE_SIDE);
    const strand = STRAND_STRICTNESS + CHEEK_STRICTNESS * below;
    return Math.max(usual, strand * smoothstep(STRAND_INNER, STRAND_OUTER, midlineDistance(i, COARSE_SIDE)));
  }),
);

/** Where thin strands lie, skin shining through: beside the cheeks, where shading changes slowly enough for the model to follow. */
const thinStrands = perLayout(({ oval }): Float32Array => {
  const strands = oval.slice();
  for (let start = 0; start < oval.length; start += COARSE_SIDE) {
    const below = smoothstep(EYES, CHEEKS, start / COARSE_SIDE / COARSE_SIDE);
    const halfWidth =
      oval.subarray(start, start + COARSE_SIDE).reduce((sum, inside) => sum + inside, 0) / 2 / COARSE_SIDE;
    for (let i = start; i < start + COARSE_SIDE; i++) {
      const outer = smoothstep(STRAND_INNER, STRAND_OUTER, midlineDistance(i, COARSE_SIDE));
      const jaw = smoothstep(JAW_INNER, JAW_OUTER, halfWidth - midlineDistance(i, COARSE_SIDE));
      strands[i]! *= below * Math.max(outer, jaw);
    }
  }
  return strands;
});

/**
 * Hair over a source's face and the shadow it throws, which are not to be carried along: 0..1 in the light-size atlas. From
 * what surely is not skin at the edge it follows what may be a strand: odd by its colour and darker than its mirror image. A brow
 * or lid counts where it is darker than the other and hair is beside it. Of somebody
 * `bearded` (0..1) whiskers are no part of it. Hair may also hang in from what is `unseen` (see `completeByMirror`; light-size or null).
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
      (1 - centre[i]! * smoothstep(NOSE_OUTER, NOSE_INNER, midlineDistance(i, COARSE_SIDE)));
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
    // The sides are filled whatever they show: what hangs together with something odd there may be hair.
    if (midlineDistance(i, COARSE_SIDE) > SIDES) seeds[i] = lead[i]!;
  }
  const strands = floodFrom(seeds, lead, layout, SIDES, unseen, make);
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

/** The outer halves of the brows with what is around them. */
const softTails = perLayout(({ browArea }): Float32Array =>
  browArea.map((area, i) => area * smoothstep(TAIL_FROM, TAIL_FULLY, midlineDistance(i, COARSE_SIDE))),
);

/** How much darker than this face's skin there, in shares, a light-size texel is. */
export function darkness(small: Atlas, model: SkinModel, i: number): number {
  return relativeDarkness(model.luma[i]!, small.luma[i]!);
}
