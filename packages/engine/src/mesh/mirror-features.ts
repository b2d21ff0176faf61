import type { Atlas } from './atlas.ts';
import type { AtlasLayout } from './atlas-layout.ts';

/** The two sides' skin may differ by this factor in luma: more is not shading. */
const MOST_GAIN = 1.6;

/** A brow or lid is only given up (`foreign`, 0..1, in place) where the other side has one to show in its stead; the brows' tails always are. */
export function keepPairedFeatures(foreign: Float32Array, layout: AtlasLayout): void {
  const { side, features, browTails } = layout;
  for (let y = 0; y < side; y++) {
    for (let a = y * side, b = a + side - 1; a < b; a++, b--) {
      const left = foreign[a]!;
      const right = foreign[b]!;
      foreign[a] = left * (1 - features[a]! * (1 - browTails[a]!) * right);
      foreign[b] = right * (1 - features[b]! * (1 - browTails[b]!) * left);
    }
  }
}

/**
 * What was filled of brows and lids (`foreign`, 0..1) becomes the other side's mirror image, in place, brought from that
 * side's skin (luma, blue, red, of the atlas's size) to this one's.
 */
export function mirrorFeatures(
  atlas: Atlas,
  layout: AtlasLayout,
  foreign: Float32Array,
  [skinLuma, skinBlue, skinRed]: readonly [Float32Array, Float32Array, Float32Array],
): void {
  const { side, luma, blue, red } = atlas;
  const { features } = layout;
  for (let y = 0; y < side; y++) {
    for (let i = y * side, from = i + side - 1; i < (y + 1) * side; i++, from--) {
      if (foreign[i] === 0) continue;
      const share = features[i]! * foreign[i]! * (1 - foreign[from]!);
      if (share === 0) continue;
      const ratio = (skinLuma[i]! + 8) / (skinLuma[from]! + 8);
      const gain = Math.min(MOST_GAIN, Math.max(1 / MOST_GAIN, ratio));
      luma[i]! += share * (gain * luma[from]! - luma[i]!);
      blue[i]! += share * (blue[from]! + skinBlue[i]! - skinBlue[from]! - blue[i]!);
      red[i]! += share * (red[from]! + skinRed[i]! - skinRed[from]! - red[i]!);
    }
  }
}
