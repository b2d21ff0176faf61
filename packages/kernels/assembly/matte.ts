import { enlargeRow } from './enlarge';

/**
 * Kernel of src/face/matte.ts. `small` contains seven consecutive planes of `smallSide` x
 * `smallSide`: nearness; luma, blue and red of the foreground; and luma, blue and red of the
 * background. `shares` contains the eight numbers that are listed there. `lines` has room for `8 *
 * side + 8` floats.
 */
export function matte(
  luma: usize,
  blue: usize,
  red: usize,
  small: usize,
  mask: usize,
  smallSide: i32,
  side: i32,
  shares: usize,
  lines: usize,
  out: usize,
): void {
  const factor = side / smallSide;
  const rowBytes = usize(side) << 2;
  const smallBytes = (usize(smallSide) * usize(smallSide)) << 2;
  const line = lines + 7 * rowBytes;
  const nearOnset = f32x4.splat(load<f32>(shares));
  const perNear = f32x4.splat(load<f32>(shares, 4));
  const deepOnset = f32x4.splat(load<f32>(shares, 8));
  const perDeep = f32x4.splat(load<f32>(shares, 12));
  const mixed = f32x4.splat(load<f32>(shares, 16));
  const perMixed = f32x4.splat(load<f32>(shares, 20));
  // The weight is squared, because both factors of each product have it.
  const weight = f32x4.splat(load<f32>(shares, 24) * load<f32>(shares, 24));
  const contrast = f32x4.splat(load<f32>(shares, 28) * load<f32>(shares, 28));
  const zero = f32x4.splat(0);
  for (let y = 0; y < side; y++, luma += rowBytes, blue += rowBytes, red += rowBytes, mask += rowBytes, out += rowBytes) {
    enlargeRow(small, lines, line, smallSide, factor, y);
    if (!anyShown(lines, mask, rowBytes, nearOnset)) {
      memory.fill(out, 0, rowBytes);
      continue;
    }
    for (let k: usize = 1; k < 7; k++)
      enlargeRow(small + k * smallBytes, lines + k * rowBytes, line, smallSide, factor, y);
    for (let x: usize = 0; x < rowBytes; x += 16) {
      const near = v128.load(lines + x);
      const shown = v128.and(f32x4.gt(near, nearOnset), f32x4.ne(v128.load(mask + x), zero));
      if (!v128.any_true(shown)) {
        v128.store(out + x, zero);
        continue;
      }
      const at = lines + x;
      const backLuma = v128.load(at + 4 * rowBytes);
      const backBlue = v128.load(at + 5 * rowBytes);
      const backRed = v128.load(at + 6 * rowBytes);
      const lumas = f32x4.sub(v128.load(at + rowBytes), backLuma);
      const blues = f32x4.sub(v128.load(at + 2 * rowBytes), backBlue);
      const reds = f32x4.sub(v128.load(at + 3 * rowBytes), backRed);
      const along = f32x4.add(
        f32x4.mul(lumas, f32x4.sub(v128.load(luma + x), backLuma)),
        f32x4.mul(
          weight,
          f32x4.add(
            f32x4.mul(blues, f32x4.sub(v128.load(blue + x), backBlue)),
            f32x4.mul(reds, f32x4.sub(v128.load(red + x), backRed)),
          ),
        ),
      );
      const all = f32x4.add(
        f32x4.add(f32x4.mul(lumas, lumas), contrast),
        f32x4.mul(weight, f32x4.add(f32x4.mul(blues, blues), f32x4.mul(reds, reds))),
      );
      const deep = smooth(f32x4.mul(f32x4.sub(near, deepOnset), perDeep));
      const edge = f32x4.mul(
        smooth(f32x4.mul(f32x4.sub(near, nearOnset), perNear)),
        smooth(f32x4.mul(f32x4.sub(f32x4.div(along, all), mixed), perMixed)),
      );
      const covered = f32x4.add(deep, f32x4.sub(edge, f32x4.mul(deep, edge)));
      v128.store(out + x, v128.and(covered, shown));
    }
  }
}

function anyShown(near: usize, mask: usize, bytes: usize, onset: v128): bool {
  const zero = f32x4.splat(0);
  let any = zero;
  for (let x: usize = 0; x < bytes; x += 16)
    any = v128.or(any, v128.and(f32x4.gt(v128.load(near + x), onset), f32x4.ne(v128.load(mask + x), zero)));
  return v128.any_true(any);
}

/** Returns the smooth step of a share that is limited to 0..1. */
// @ts-ignore: decorator
@inline
function smooth(share: v128): v128 {
  const held = f32x4.pmin(f32x4.pmax(share, f32x4.splat(0)), f32x4.splat(1));
  return f32x4.mul(f32x4.mul(held, held), f32x4.sub(f32x4.splat(3), f32x4.add(held, held)));
}
