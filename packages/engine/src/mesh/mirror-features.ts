import { enlargedRow } from '@guise/kernels/plane-scale.ts';
import type { Atlas } from './atlas.ts';
import type { AtlasLayout } from './atlas-layout.ts';
import { LIGHT_SIDE } from './atlas-layout.ts';

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
 * side's skin (luma, blue, red, light-size) to this one's.
 */
export function mirrorFeatures(
  atlas: Atlas,
  layout: AtlasLayout,
  foreign: Float32Array,
  skin: readonly [Float32Array, Float32Array, Float32Array],
): void {
  const { side, luma, blue, red } = atlas;
  const factor = side / LIGHT_SIDE;
  const [skinLuma, skinBlue, skinRed] = skin.map(() => new Float32Array(side)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  for (let y = 0; y < side; y++) {
    enlargedRow(skin[0], LIGHT_SIDE, factor, y, skinLuma);
    enlargedRow(skin[1], LIGHT_SIDE, factor, y, skinBlue);
    enlargedRow(skin[2], LIGHT_SIDE, factor, y, skinRed);
    for (let x = 0, i = y * side; x < side; x++, i++) {
      const other = side - 1 - x;
      const from = y * side + other;
      const share = layout.features[i]! * foreign[i]! * (1 - foreign[from]!);
      if (share === 0) continue;
      const ratio = (skinLuma[x]! + 8) / (skinLuma[other]! + 8);
      const gain = Math.min(MOST_GAIN, Math.max(1 / MOST_GAIN, ratio));
      luma[i]! += share * (gain * luma[from]! - luma[i]!);
      blue[i]! += share * (blue[from]! + skinBlue[x]! - skinBlue[other]! - blue[i]!);
      red[i]! += share * (red[from]! + skinRed[x]! - skinRed[other]! - red[i]!);
    }
  }
}
