import { enlargeRow, isRowEmpty } from './enlarge';

function anyOf(row: usize, bytes: usize): bool {
  let any = f32x4.splat(0);
  for (let x: usize = 0; x < bytes; x += 16) any = v128.or(any, v128.load(row + x));
  return v128.any_true(any);
}

/** See mixMirrored in src/face/mix-mirrored.ts. `lines` has room for `5 * side + 8` floats. */
export function mixMirrored(
  luma: usize,
  blue: usize,
  red: usize,
  facing: usize,
  share: usize,
  lumaStep: usize,
  blueStep: usize,
  redStep: usize,
  smallSide: i32,
  side: i32,
  lines: usize,
): void {
  const factor = side / smallSide;
  const rowBytes = usize(side) << 2;
  const half = rowBytes >> 1;
  const lumas = lines + rowBytes;
  const blues = lumas + rowBytes;
  const reds = blues + rowBytes;
  const line = reds + rowBytes;
  const zero = f32x4.splat(0);
  for (let y = 0, start: usize = 0; y < side; y++, start += rowBytes) {
    if (isRowEmpty(share, smallSide, factor, y)) continue;
    enlargeRow(share, lines, line, smallSide, factor, y);
    if (!anyOf(lines, rowBytes)) continue;
    enlargeRow(lumaStep, lumas, line, smallSide, factor, y);
    enlargeRow(blueStep, blues, line, smallSide, factor, y);
    enlargeRow(redStep, reds, line, smallSide, factor, y);
    for (let x: usize = 0, end = rowBytes - 16; x < half; x += 16, end -= 16) {
      const left = v128.load(lines + x);
      const right = reversed(v128.load(lines + end));
      if (!v128.any_true(v128.or(left, right))) continue;
      const isLeft = f32x4.gt(left, right);
      const toLeft = v128.and(left, isLeft);
      const toRight = v128.andnot(right, isLeft);
      mixPair(luma + start, lumas, x, end, toLeft, toRight);
      mixPair(blue + start, blues, x, end, toLeft, toRight);
      mixPair(red + start, reds, x, end, toLeft, toRight);
      const a = v128.load(facing + start + x);
      const b = reversed(v128.load(facing + start + end));
      const gain = f32x4.sub(b, a);
      v128.store(facing + start + x, f32x4.add(a, f32x4.mul(toLeft, f32x4.pmax(gain, zero))));
      v128.store(facing + start + end, reversed(f32x4.sub(b, f32x4.mul(toRight, f32x4.pmin(gain, zero)))));
    }
  }
}

/** Mixes two mirrored places of a row, each with the old value of the other one and a step. */
// @ts-ignore: decorator
@inline
function mixPair(row: usize, steps: usize, left: usize, right: usize, toLeft: v128, toRight: v128): void {
  const a = v128.load(row + left);
  const b = reversed(v128.load(row + right));
  const gain = f32x4.sub(b, a);
  const stepLeft = f32x4.add(gain, v128.load(steps + left));
  const stepRight = f32x4.sub(reversed(v128.load(steps + right)), gain);
  v128.store(row + left, f32x4.add(a, f32x4.mul(toLeft, stepLeft)));
  v128.store(row + right, reversed(f32x4.add(b, f32x4.mul(toRight, stepRight))));
}

// @ts-ignore: decorator
@inline
function reversed(values: v128): v128 {
  return v128.shuffle<f32>(values, values, 3, 2, 1, 0);
}
