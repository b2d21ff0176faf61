import { smoothstep } from '@guise/kernels/smoothstep.ts';
import { COARSE_SIDE, perLayout } from '../uv/atlas-layout.ts';
import { usualStrictness } from '../skin/foreign-skin.ts';
import { midlineDistance } from '../uv/texel.ts';

/** Strictness with which strands are followed over a source's temples. */
const STRAND_STRICTNESS = 0.6;
/** How much more of it there is below the eyes: beside them are sockets and laughter's wrinkles. */
const CHEEK_STRICTNESS = 0.25;
/** Height of the eyes. */
const EYES_SIDES = 0.45;
/** Height from which on cheeks are bare. */
const CHEEKS_SIDES = 0.5;
/** Distance from the midline at which strands may begin. */
const STRAND_INNER_SIDES = 0.15;
/** Distance from which on they are looked for in full. */
const STRAND_OUTER_SIDES = 0.2;
/** Distance from the oval's edge at which thin strands of the jaw may begin. */
const JAW_INNER_SIDES = 0.16;
/** Distance within which they are looked for in full. */
const JAW_OUTER_SIDES = 0.1;
/** Distance from the midline at which the tails of brows begin. */
const TAIL_FROM_SIDES = 0.14;
/** Distance at which brows are but tail. */
const TAIL_FULLY_SIDES = 0.2;

/**
 * Says how strictly a coarse texel is looked at where strands hang, 0..1: the further aside the
 * more, most of all over the cheeks.
 */
export const strandStrictness = perLayout((layout): Float32Array =>
  usualStrictness(layout).map((usual, i) => {
    const below = smoothstep(EYES_SIDES, CHEEKS_SIDES, i / COARSE_SIDE / COARSE_SIDE);
    const strand = STRAND_STRICTNESS + CHEEK_STRICTNESS * below;
    return Math.max(
      usual,
      strand * smoothstep(STRAND_INNER_SIDES, STRAND_OUTER_SIDES, midlineDistance(i, COARSE_SIDE)),
    );
  }),
);

/**
 * Marks where thin strands lie, skin shining through: beside the cheeks, where shading changes
 * slowly enough for the model to follow.
 */
export const thinStrands = perLayout(({ oval }): Float32Array => {
  const strands = oval.slice();
  for (let start = 0; start < oval.length; start += COARSE_SIDE) {
    const below = smoothstep(EYES_SIDES, CHEEKS_SIDES, start / COARSE_SIDE / COARSE_SIDE);
    const halfWidth =
      oval.subarray(start, start + COARSE_SIDE).reduce((sum, inside) => sum + inside, 0) / 2 / COARSE_SIDE;
    for (let i = start; i < start + COARSE_SIDE; i++) {
      const outer = smoothstep(STRAND_INNER_SIDES, STRAND_OUTER_SIDES, midlineDistance(i, COARSE_SIDE));
      const jaw = smoothstep(JAW_INNER_SIDES, JAW_OUTER_SIDES, halfWidth - midlineDistance(i, COARSE_SIDE));
      strands[i]! *= below * Math.max(outer, jaw);
    }
  }
  return strands;
});

/** Marks the outer halves of the brows with what is around them. */
export const softTails = perLayout(({ browArea }): Float32Array =>
  browArea.map(
    (area, i) => area * smoothstep(TAIL_FROM_SIDES, TAIL_FULLY_SIDES, midlineDistance(i, COARSE_SIDE)),
  ),
);
