import type { MattePlace, MatteShares } from '../matte.ts';
import type { ColourPlanes } from '../relight.ts';
import { smoothstep } from '../smoothstep.ts';
import { enlargedRow } from './plane-scale.ts';

/** See ../matte.ts. */
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
