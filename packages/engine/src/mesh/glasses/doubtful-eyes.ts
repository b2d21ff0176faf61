import { LUMA_NOISE_FLOOR } from '../uv/atlas.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { eyeArea } from '../uv/eye-area.ts';

/** Mean change of luma around an eye, as a share of it, from which the eye is a guess. */
const DOUBTFUL_EYE_CHANGE = 0.06;
/**
 * Mean change of luma over a brow, as a share of it, from which the brow is a guess: most of its
 * edge lay under the rim.
 */
const DOUBTFUL_BROW_CHANGE = 0.09;

/**
 * Decides whether a source's eyes are a guess: where rims, their shadows or glare reached one of
 * them, much of what is around it had to be painted or lit anew.
 * @param worn the atlas with glasses @param bare the same one without them
 */
export function hasDoubtfulEyes(worn: Atlas, bare: Atlas, layout: AtlasLayout): boolean {
  return changesOfSides(worn, bare, eyeArea(layout), layout.side).some(
    (change) => change > DOUBTFUL_EYE_CHANGE,
  );
}

/**
 * Decides whether a source's brows are a guess: where a rim crossed one of them, its outline is
 * that of what was taken off.
 * @param worn the atlas with glasses @param bare the same one without them
 */
export function hasDoubtfulBrows(worn: Atlas, bare: Atlas, layout: AtlasLayout): boolean {
  return changesOfSides(worn, bare, layout.browsSoft, layout.side).some(
    (change) => change > DOUBTFUL_BROW_CHANGE,
  );
}

/** Measures the mean change of luma over an area's left and right half, as shares of the luma. */
function changesOfSides(worn: Atlas, bare: Atlas, area: Float32Array, side: number): readonly number[] {
  const changed = [0, 0];
  const total = [0, 0];
  for (let i = 0; i < area.length; i++) {
    const half = i % side < side / 2 ? 0 : 1;
    total[half]! += area[i]!;
    changed[half]! +=
      (area[i]! * Math.abs(bare.luma[i]! - worn.luma[i]!)) / (bare.luma[i]! + LUMA_NOISE_FLOOR);
  }
  return changed.map((sum, half) => sum / total[half]!);
}
