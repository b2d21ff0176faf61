import { storeSome } from './store-some';

/**
 * Kernel of src/filter/extremes.ts. `lines` has room for `4 * (height + 2 * radius)` and for
 * `width + 4 * radius + 16` floats. `sign` is 1 for the largest and -1 for the smallest value.
 */
export function extremes(
  plane: usize,
  lines: usize,
  width: i32,
  height: i32,
  radius: i32,
  sign: f32,
): void {
  const pitch = usize(width) << 2;
  for (let y = 0, row = plane; y < height; y++, row += pitch) alongRow(row, lines, width, radius, sign);
  for (let x = 0; x < width; x += 4)
    alongColumns(plane + (usize(x) << 2), pitch, lines, min(4, width - x), height, radius, sign);
}

/**
 * Filters a row. Computes the values of windows that double in length until they have the full
 * length.
 */
function alongRow(row: usize, line: usize, width: i32, radius: i32, sign: f32): void {
  const signs = f32x4.splat(sign);
  const none = f32x4.splat(-f32(Infinity));
  const window = 2 * radius + 1;
  const start = line + (usize(radius) << 2);
  const end = start + (usize(width) << 2);
  for (let at = line; at < start; at += 16) v128.store(at, none);
  for (let at = start, from = row; at < end; at += 16, from += 16)
    v128.store(at, f32x4.mul(signs, v128.load(from)));
  // Windows also read values after the margin, which must be empty, too.
  const stop = end + (usize(radius + window) << 2);
  for (let at = end; at < stop; at += 16) v128.store(at, none);
  let wide = 1;
  for (; 2 * wide <= window; wide *= 2) {
    const step = usize(wide) << 2;
    for (let at = line, last = end + (usize(radius) << 2); at < last; at += 16)
      v128.store(at, f32x4.pmax(v128.load(at), v128.load(at + step)));
  }
  const rest = usize(window - wide) << 2;
  for (let left = width; left > 0; left -= 4, line += 16, row += 16) {
    const most = f32x4.mul(signs, f32x4.pmax(v128.load(line + rest), v128.load(line)));
    if (left >= 4) v128.store(row, most);
    else storeSome(row, most, left);
  }
}

/** Filters up to four neighbouring columns in the same way. */
function alongColumns(
  top: usize,
  pitch: usize,
  line: usize,
  columns: i32,
  height: i32,
  radius: i32,
  sign: f32,
): void {
  const signs = f32x4.splat(sign);
  const none = f32x4.splat(-f32(Infinity));
  const window = 2 * radius + 1;
  const length = height + 2 * radius;
  const end = line + (usize(length) << 4);
  let at = line;
  for (let k = 0; k < radius; k++, at += 16) v128.store(at, none);
  for (let k = 0, from = top; k < height; k++, at += 16, from += pitch)
    v128.store(at, f32x4.mul(signs, v128.load(from)));
  for (; at < end; at += 16) v128.store(at, none);
  let wide = 1;
  for (; 2 * wide <= window; wide *= 2) {
    const step = usize(wide) << 4;
    for (at = line; at + step < end; at += 16)
      v128.store(at, f32x4.pmax(v128.load(at), v128.load(at + step)));
  }
  const rest = usize(window - wide) << 4;
  for (let y = 0; y < height; y++, line += 16, top += pitch) {
    const most = f32x4.mul(signs, f32x4.pmax(v128.load(line + rest), v128.load(line)));
    if (columns === 4) v128.store(top, most);
    else storeSome(top, most, columns);
  }
}
