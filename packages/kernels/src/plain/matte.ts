import type { ColourPlanes } from '../colour-planes.ts';
import { smoothstep } from '../smoothstep.ts';
import { enlargedRow } from './plane-scale.ts';

/** Parameters that decide whether a texel is part of an object in front. */
export interface MatteShares {
  /** Nearness (0..1) up to which a texel is not part of the object. */
  readonly nearOnset: number;
  /** Nearness from which a texel's colour alone decides. */
  readonly nearFull: number;
  /** Nearness from which a texel of any colour counts more and more. */
  readonly deepOnset: number;
  /** Share of the way from the back's colour to the front's at which a texel begins to count. */
  readonly mixed: number;
  /** Share of that way at which a texel counts fully. */
  readonly pure: number;
  /** Weight of colour differences relative to luma. */
  readonly colourWeight: number;
  /** Luma difference between front and back below which their colours are ignored. */
  readonly leastContrast: number;
}

/**
 * Sizes and mask. The picture has `side` squared values per plane; planes that are enlarged
 * bilinearly have `smallSide` squared.
 */
export interface MattePlace {
  readonly smallSide: number;
  /** Side of the picture, a multiple of `smallSide` and of 4. */
  readonly side: number;
  /** Mask. Where it is 0, the result is 0. */
  readonly mask: Float32Array;
}

/** Reference version of the kernel in ../face/matte.ts. */
export function matte(
  { luma, blue, red }: ColourPlanes,
  near: Float32Array,
  front: ColourPlanes,
  back: ColourPlanes,
  { smallSide, side, mask }: MattePlace,
  shares: MatteShares,
  out: Float32Array,
): void {
  const { nearOnset, nearFull, deepOnset, mixed, pure, colourWeight, leastContrast } = shares;
  const small = [near, front.luma, front.blue, front.red, back.luma, back.blue, back.red];
  const rows = small.map(() => new Float32Array(side));
  for (let y = 0; y < side; y++) {
    for (const [k, row] of rows.entries()) enlargedRow(small[k]!, smallSide, side / smallSide, y, row);
    for (let x = 0, i = y * side; x < side; x++, i++) {
      const [by, frontLuma, frontBlue, frontRed, backLuma, backBlue, backRed] = rows.map((row) => row[x]!);
      out[i] = 0;
      if (by! <= nearOnset || mask[i] === 0) continue;
      const lumas = frontLuma! - backLuma!;
      const blues = colourWeight * (frontBlue! - backBlue!);
      const reds = colourWeight * (frontRed! - backRed!);
      const along =
        lumas * (luma[i]! - backLuma!) +
        blues * colourWeight * (blue[i]! - backBlue!) +
        reds * colourWeight * (red[i]! - backRed!);
      const all = lumas ** 2 + blues ** 2 + reds ** 2 + leastContrast ** 2;
      const deep = smoothstep(deepOnset, 1, by!);
      const edge = smoothstep(nearOnset, nearFull, by!) * smoothstep(mixed, pure, along / all);
      out[i] = deep + (1 - deep) * edge;
    }
  }
}
