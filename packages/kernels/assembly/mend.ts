import { enlargeRow, isRowEmpty } from './enlarge';

/**
 * Kernel of holdBelow in src/face/mend.ts. The small planes are enlarged row by row; `lines` has
 * room for `5 * side + 8` floats.
 */
export function holdBelow(
  luma: usize,
  blue: usize,
  red: usize,
  kept: usize,
  share: usize,
  lumaTo: usize,
  blueTo: usize,
  redTo: usize,
  smallSide: i32,
  side: i32,
  taken: f32,
  lines: usize,
): void {
  const factor = side / smallSide;
  const rowBytes = usize(side) << 2;
  const lumas = lines + rowBytes;
  const blues = lumas + rowBytes;
  const reds = blues + rowBytes;
  const line = reds + rowBytes;
  const takens = f32x4.splat(taken);
  for (let y = 0, start: usize = 0; y < side; y++, start += rowBytes) {
    if (isRowEmpty(share, smallSide, factor, y)) continue;
    enlargeRow(share, lines, line, smallSide, factor, y);
    if (!anyOf(lines, rowBytes)) continue;
    enlargeRow(lumaTo, lumas, line, smallSide, factor, y);
    enlargeRow(blueTo, blues, line, smallSide, factor, y);
    enlargeRow(redTo, reds, line, smallSide, factor, y);
    for (let x: usize = 0; x < rowBytes; x += 16) {
      const shares = v128.load(lines + x);
      if (!v128.any_true(shares)) continue;
      const i = start + x;
      const own = v128.load(luma + i);
      const to = v128.load(lumas + x);
      const all = f32x4.mul(takens, shares);
      const part = v128.and(
        f32x4.sub(all, f32x4.mul(all, v128.load(kept + i))),
        f32x4.gt(own, to),
      );
      v128.store(luma + i, f32x4.add(own, f32x4.mul(part, f32x4.sub(to, own))));
      mix(blue + i, v128.load(blues + x), part);
      mix(red + i, v128.load(reds + x), part);
    }
  }
}

// @ts-ignore: decorator
@inline
function mix(at: usize, to: v128, share: v128): void {
  const own = v128.load(at);
  v128.store(at, f32x4.add(own, f32x4.mul(share, f32x4.sub(to, own))));
}

function anyOf(row: usize, bytes: usize): bool {
  let any = f32x4.splat(0);
  for (let x: usize = 0; x < bytes; x += 16) any = v128.or(any, v128.load(row + x));
  return v128.any_true(any);
}

/** See dullGlints in src/mend.ts. The planes of the light are consecutive. */
export function dullGlints(
  luma: usize,
  blue: usize,
  red: usize,
  fine: usize,
  medium: usize,
  broad: usize,
  skin: usize,
  light: usize,
  smallSide: i32,
  side: i32,
  usual: f32,
  lit: f32,
  taken: f32,
): void {
  const factor = side / smallSide;
  const lightBytes = (usize(smallSide) * usize(smallSide)) << 2;
  const usuals = f32x4.splat(usual);
  const zero = f32x4.splat(0);
  for (let y = 0, i: usize = 0; y < side; y++) {
    const row = light + (usize((y / factor) * smallSide) << 2);
    for (let x = 0; x < side; x += 4, i += 16) {
      const detail = f32x4.add(f32x4.add(v128.load(fine + i), v128.load(medium + i)), v128.load(broad + i));
      // Few texels are brighter than that.
      if (!v128.any_true(v128.and(f32x4.gt(detail, usuals), f32x4.ne(v128.load(skin + i), zero)))) continue;
      for (let k = 0, at = i; k < 4; k++, at += 4) {
        const own = load<f32>(fine + at) + load<f32>(medium + at) + load<f32>(broad + at);
        const cell = row + (usize((x + k) / factor) << 2);
        const glint = min(own, load<f32>(luma + at) - lit * load<f32>(cell));
        if (glint <= usual) continue;
        const less = load<f32>(skin + at) * taken * (glint - usual);
        const share = less / glint;
        store<f32>(luma + at, load<f32>(luma + at) - less);
        mixOne(blue + at, load<f32>(cell + lightBytes), share);
        mixOne(red + at, load<f32>(cell + 2 * lightBytes), share);
      }
    }
  }
}

// @ts-ignore: decorator
@inline
function mixOne(at: usize, to: f32, share: f32): void {
  const own = load<f32>(at);
  store<f32>(at, own + share * (to - own));
}

/** See mixMirrored in src/mend.ts. `lines` has room for `5 * side + 8` floats. */
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
