import type { ColourPlanes } from '../colour-planes.ts';
import { enlargedRow } from './plane-scale.ts';

/** Parameters that decide which detail is a glint, and how much of it is removed. */
export interface Glints {
  /** Detail of the picture as three planes, whose sum it is. */
  readonly bands: readonly [Float32Array, Float32Array, Float32Array];
  /** Share of the removal for each texel, 0..1. At 0 the texel stays unchanged. */
  readonly skin: Float32Array;
  /** Luma levels up to which detail is not a glint. */
  readonly usual: number;
  /** Factor on the light's luma up to which detail is also not a glint. */
  readonly lit: number;
  /** Share of the excess that is removed. */
  readonly taken: number;
}

/** Reference version of the kernel in ../face/mend.ts. */
export function holdBelow(
  picture: ColourPlanes,
  to: ColourPlanes,
  share: Float32Array,
  kept: Float32Array,
  smallSide: number,
  side: number,
  taken: number,
): void {
  const factor = side / smallSide;
  const planes = [picture.luma, picture.blue, picture.red];
  const small = [share, to.luma, to.blue, to.red];
  const rows = small.map(() => new Float32Array(side));
  const [shares, lumas] = rows as [Float32Array, Float32Array];
  for (let y = 0; y < side; y++) {
    for (const [k, row] of rows.entries()) enlargedRow(small[k]!, smallSide, factor, y, row);
    for (let x = 0, i = y * side; x < side; x++, i++) {
      if (shares[x] === 0 || picture.luma[i]! <= lumas[x]!) continue;
      const part = taken * shares[x]! * (1 - kept[i]!);
      for (const [k, plane] of planes.entries()) plane[i]! += part * (rows[k + 1]![x]! - plane[i]!);
    }
  }
}

/** Reference version of the kernel in ../face/mend.ts. */
export function dullGlints(
  { luma, blue, red }: ColourPlanes,
  light: ColourPlanes,
  { bands: [fine, medium, broad], skin, usual, lit, taken }: Glints,
  smallSide: number,
  side: number,
): void {
  const factor = side / smallSide;
  for (let i = 0; i < luma.length; i++) {
    const detail = fine[i]! + medium[i]! + broad[i]!;
    const cell = Math.floor(i / side / factor) * smallSide + Math.floor((i % side) / factor);
    const glint = Math.min(detail, luma[i]! - lit * light.luma[cell]!);
    if (glint <= usual) continue;
    const less = skin[i]! * taken * (glint - usual);
    const share = less / glint;
    luma[i]! -= less;
    blue[i]! += share * (light.blue[cell]! - blue[i]!);
    red[i]! += share * (light.red[cell]! - red[i]!);
  }
}

/** Reference version of the kernel in ../face/mend.ts. */
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
