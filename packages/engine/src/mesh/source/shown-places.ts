import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { relativeDarkness } from '../skin/not-skin.ts';
import type { Atlas } from '../uv/atlas.ts';

/**
 * Facing in the photo. 0 at `from`: a dark texel counts; 1 at `to`: it is shown badly, because
 * shade of the jaw, and of hair next to it, is not skin in other light.
 */
const GRAZING_FACING: Ramp = { from: 0.6, to: 0.4 };
/** Darkness compared with the expected skin, as a share, from skin to such shade. */
const SHADE_DARKNESS: Ramp = { from: 0.1, to: 0.25 };

/**
 * Measures how well a cleaned source shows each place, 0..1, coarse: whether it faces the camera in
 * the photo or its mirror image, and is neither filled nor shaded at a grazing angle.
 * @param small coarse atlas, completed and cleaned
 * @param kept how much of each texel was left as it was by the cleaning
 * @param skinLuma that the shading model expects of bare skin
 * @param photoFacing facing in the photo, before it was completed
 */
export function shownPlaces(
  small: Atlas,
  kept: Float32Array,
  skinLuma: Float32Array,
  photoFacing: Float32Array,
): Float32Array {
  return kept.map((share, i) => {
    const shade = ramp(SHADE_DARKNESS, relativeDarkness(skinLuma[i]!, small.luma[i]!));
    return share * small.facing[i]! * (1 - shade * ramp(GRAZING_FACING, photoFacing[i]!));
  });
}
