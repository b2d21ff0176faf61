import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { beardParts, darkerPart } from '../skin/beard-parts.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';

/** Darkness of the chin against the cheeks over which it is bearded: shaded stubble has 0.22. */
const CHIN_DARKNESS = 0.24;
/** Darkness of the upper lip over which it is bearded: shade under a nose reaches 0.3. */
const MOUSTACHE_DARKNESS = 0.4;

/**
 * Tells whether chin and upper lip are both covered by a beard, on each half of the face that is
 * seen: a shadow lies on one half, a moustache or a microphone on one place.
 * @param small coarse atlas of the face
 */
export function hasFullBeard(small: Atlas, layout: AtlasLayout, make: PlaneMaker): boolean {
  let halves = 0;
  for (const { cheek, chin, lip } of beardParts(layout)) {
    const below = darkerPart(small, cheek, chin, make);
    const above = darkerPart(small, cheek, lip, make);
    if (below === null || above === null) continue;
    if (below < CHIN_DARKNESS || above < MOUSTACHE_DARKNESS) return false;
    halves += 1;
  }
  return halves > 0;
}
