import type { ColourPlanes } from '../colour-planes.ts';
import { enlargedRow } from './plane-scale.ts';

/** Reference version of the kernel in ../face/mix-mirrored.ts. */
export function mixMirrored(
  { luma, blue, red, facing }: ColourPlanes & { readonly facing: Float32Array },
  share: Float32Array,
  steps: ColourPlanes,
  smallSide: number,
  side: number,
): void {
  const planes = [luma, blue, red];
  const small = [share, steps.luma, steps.blue, steps.red];
  const rows = small.map(() => new Float32Array(side));
  const shares = rows[0]!;
  for (let y = 0; y < side; y++) {
    for (const [k, row] of rows.entries()) enlargedRow(small[k]!, smallSide, side / smallSide, y, row);
    for (let left = 0, right = side - 1; left < right; left++, right--) {
      const isLeft = shares[left]! > shares[right]!;
      const x = isLeft ? left : right;
      const part = shares[x]!;
      const to = y * side + x;
      const from = y * side + left + right - x;
      for (const [k, plane] of planes.entries())
        plane[to]! += part * (plane[from]! + rows[k + 1]![x]! - plane[to]!);
      if (facing[from]! > facing[to]!) facing[to]! += part * (facing[from]! - facing[to]!);
    }
  }
}
