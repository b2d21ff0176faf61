import { LUMA_NOISE_FLOOR } from '../uv/atlas.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { eyeArea } from '../uv/eye-area.ts';

/** Mean change of luma around an eye, as a share of it, from which the eye is a guess. */
const DOUBTFUL_CHANGE = 0.06;

/**
 * Decides whether a source's eyes are a guess: where rims, their shadows or glare reached one of
 * them, much of what is around it had to be painted or lit anew.
 * @param worn the atlas with glasses @param bare the same one without them
 */
export function hasDoubtfulEyes(worn: Atlas, bare: Atlas, layout: AtlasLayout): boolean {
  const { side } = layout;
  const area = eyeArea(layout);
  const changed = [0, 0];
  const total = [0, 0];
  for (let i = 0; i < area.length; i++) {
    const eye = i % side < side / 2 ? 0 : 1;
    total[eye]! += area[i]!;
    changed[eye]! +=
      (area[i]! * Math.abs(bare.luma[i]! - worn.luma[i]!)) / (bare.luma[i]! + LUMA_NOISE_FLOOR);
  }
  return changed.some((sum, eye) => sum > DOUBTFUL_CHANGE * total[eye]!);
}
