import { maxInPlace } from '../skin/max-in-place.ts';
import { eyeArea } from '../uv/eye-area.ts';
import type { RegionMasks } from '../uv/region-masks.ts';

/**
 * Adds both of the target's eyes, with lids and the skin around them, to what is `kept` of it
 * (coarse, in place): a source's eyes that were found behind glasses are a guess.
 */
export function keepEyes(kept: Float32Array, coarseLayout: RegionMasks): void {
  maxInPlace(kept, eyeArea(coarseLayout));
}
