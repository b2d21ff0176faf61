import type { Atlas, AtlasColours } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { perLayout } from '../uv/atlas-layout.ts';
import { lipMasks } from '../uv/lip-masks.ts';
import { meanAt, texelsWhere } from '../uv/texel.ts';

/** Share of a brow in a texel from which it is brow. */
const BROW = 0.5;

/** A kind of feature. */
interface Feature {
  /** How much each texel belongs to it, 0..1. */
  readonly share: Float32Array;
  /** Texels that belong to it, and those inside it. */
  readonly texels: Uint32Array;
  readonly inside: Uint32Array;
}

/** Brows and lips. */
const features = perLayout((layout: AtlasLayout): Feature[] => {
  const { browArea, browsSoft } = layout;
  const lips = lipMasks(layout);
  const brows = texelsWhere(browsSoft.length, (i) => browsSoft[i]! > BROW);
  return [featureOf(browArea, brows), featureOf(lips.soft, lips.texels)];
});

function featureOf(share: Float32Array, inside: Uint32Array): Feature {
  return { share, inside, texels: texelsWhere(share.length, (i) => share[i]! > 0) };
}

/**
 * Takes blue and green tints off brows and lips of a lit face, in place. No hair and no lips are
 * blue or green, but in many photos dark places have such a tint, which relighting takes for their
 * own colour.
 * @param target in whose light brows and lips may have a tint
 */
export function limitTints(lit: Atlas, target: AtlasColours, layout: AtlasLayout): void {
  for (const { share, inside, texels } of features(layout)) {
    const mostBlue = Math.max(0, meanAt(target.blue, inside));
    const leastRed = Math.min(0, meanAt(target.red, inside));
    for (const i of texels) {
      lit.blue[i]! -= share[i]! * Math.max(0, lit.blue[i]! - mostBlue);
      lit.red[i]! += share[i]! * Math.max(0, leastRed - lit.red[i]!);
    }
  }
}
