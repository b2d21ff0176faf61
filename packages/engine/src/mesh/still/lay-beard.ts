import { clamp } from '@guise/kernels/clamp.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { type Front, frontAt } from '../front/front.ts';
import type { TargetFace } from '../target/target-face.ts';
import { type Atlas, LUMA_NOISE_FLOOR } from '../uv/atlas.ts';

/** Largest factor by which hairs are brighter than the skin below them: grey beards. */
const MAX_GAIN = 1.8;
/** Share of beard in a texel. 0 at `from`: the texel stays; 1 at `to`: hairs cover it. */
const COVERED_SHARE: Ramp = { from: 0.3, to: 0.75 };
/** Factor of luma by hairs. 0 at `from`: skin shows, in its own colours; 1 at `to`: hairs do. */
const HAIR_GAIN: Ramp = { from: 1, to: 0.5 };

/**
 * Lays the target's beard over the lit face, in place. A beard darkens each texel as much as the
 * target is darker than the bare skin behind its beard, which the network guesses; dark hairs have
 * the target's colours. So the swapped face keeps its own mouth and chin, and the beard goes on
 * below the mesh.
 * @param beard share of each texel, 0..1, in the atlas's size
 */
export function layBeard(
  lit: Atlas,
  { atlas, veil }: Pick<TargetFace, 'atlas' | 'veil'>,
  beard: Float32Array,
  front: Front,
  make: PlaneMaker,
): void {
  const bare = frontAt(front.bare.luma, lit.side, make);
  for (let i = 0; i < beard.length; i++) {
    const share = ramp(COVERED_SHARE, beard[i]!);
    if (share === 0) continue;
    const seen = atlas.luma[i]! - veil;
    const gain = clamp((seen + LUMA_NOISE_FLOOR) / (bare[i]! - veil + LUMA_NOISE_FLOOR), 0, MAX_GAIN);
    const factor = 1 + share * (gain - 1);
    const hairs = share * ramp(HAIR_GAIN, gain);
    lit.luma[i]! *= factor;
    for (const name of ['blue', 'red'] as const) {
      const own = factor * lit[name][i]!;
      lit[name][i] = own + hairs * (atlas[name][i]! - own);
    }
  }
}
