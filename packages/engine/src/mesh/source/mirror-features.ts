import type { Atlas } from '../uv/atlas.ts';
import { LUMA_NOISE_FLOOR } from '../uv/atlas.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import type { CoveredEye } from './covered-eye.ts';
import { mirrorTexel } from '../uv/texel.ts';

/** Largest factor between the lumas of the two sides' skin: more is not shading. */
const MAX_SHADING_GAIN = 1.6;

/**
 * A brow or lid is only given up (`foreign`, 0..1, in place) where the other side has one to show
 * in its stead; the brows' tails always are.
 */
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
 * What was filled of brows and lids (`foreign`, 0..1) becomes the other side's mirror image, in
 * place, brought from that side's skin (luma, blue, red) to this one's; so does all that belongs to
 * a `covered` eye. Planes of one size, a part of the atlas's.
 */
export function mirrorFeatures(
  atlas: Atlas,
  layout: RegionMasks,
  foreign: Float32Array,
  [skinLuma, skinBlue, skinRed]: readonly [Float32Array, Float32Array, Float32Array],
  covered: CoveredEye | null,
): void {
  const { side, luma, blue, red } = atlas;
  const { features } = layout;
  const cells = Math.sqrt(foreign.length);
  const factor = side / cells;
  for (let cellY = 0, cell = 0; cellY < cells; cellY++) {
    for (let cellX = 0; cellX < cells; cellX++, cell++) {
      if (foreign[cell] === 0) continue;
      const other = cell + cells - 1 - 2 * cellX;
      const filled = foreign[cell]! * (1 - foreign[other]!);
      if (filled === 0) continue;
      const whole = covered ? covered.area[cell]! : 0;
      const ratio = (skinLuma[cell]! + LUMA_NOISE_FLOOR) / (skinLuma[other]! + LUMA_NOISE_FLOOR);
      const gain = Math.min(MAX_SHADING_GAIN, Math.max(1 / MAX_SHADING_GAIN, ratio));
      const bluer = skinBlue[cell]! - skinBlue[other]!;
      const redder = skinRed[cell]! - skinRed[other]!;
      for (let y = cellY * factor; y < (cellY + 1) * factor; y++) {
        for (let x = cellX * factor; x < (cellX + 1) * factor; x++) {
          const i = y * side + x;
          const share = Math.max(features[i]!, whole) * filled;
          if (share === 0) continue;
          const from = mirrorTexel(i, side);
          luma[i]! += share * (gain * luma[from]! - luma[i]!);
          // A cast of light is as strong as what it falls on is light.
          const lit = Math.min(1, luma[from]! / (skinLuma[other]! + LUMA_NOISE_FLOOR));
          blue[i]! += share * (blue[from]! + lit * bluer - blue[i]!);
          red[i]! += share * (red[from]! + lit * redder - red[i]!);
        }
      }
    }
  }
}
