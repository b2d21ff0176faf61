import { storeSome } from './store-some';

/** Kernel of src/filter/box-blur.ts. `lines` has room for `width + 2 * radius + 8` floats. */
export function boxBlur(
  plane: usize,
  scratch: usize,
  lines: usize,
  width: i32,
  height: i32,
  radius: i32,
  passes: i32,
): void {
  for (let pass = 0; pass < passes; pass++) {
    blurRows(plane, scratch, lines, width, height, radius);
    blurColumns(scratch, plane, lines, width, height, radius);
  }
}

export function blurRows(from: usize, to: usize, line: usize, width: i32, height: i32, radius: i32): void {
  const pitch = usize(width) << 2;
  for (let y = 0; y < height; y++, from += pitch, to += pitch) blurRow(from, to, line, width, radius);
}

/**
 * Blurs one row once. First copies the row and repeated border samples to `line`, which has room
 * for `width + 2 * radius + 8` floats. Each running sum depends on the sum before, so four of them
 * are computed together, from prefix sums of the samples that enter and leave the window.
 */
export function blurRow(row: usize, out: usize, line: usize, width: i32, radius: i32): void {
  padRow(row, line, width, radius);
  const window = 2 * radius + 1;
  const scale = f32x4.splat(1 / f32(window));
  const zero = f32x4.splat(0);
  const reach = usize(window) << 2;
  // The sum of the window around the column before the first one.
  let carry = f32x4.splat(sumOf(line, window));
  for (let left = width; left > 0; left -= 4, line += 16, out += 16) {
    const sums = f32x4.add(carry, prefix(f32x4.sub(v128.load(line + reach), v128.load(line)), zero));
    const means = f32x4.mul(sums, scale);
    if (left >= 4) v128.store(out, means);
    else storeSome(out, means, left);
    carry = v128.shuffle<f32>(sums, sums, 3, 3, 3, 3);
  }
}

/**
 * Writes the first sample `radius + 1` times, then the row, then the last sample to the end of
 * `line`.
 */
function padRow(row: usize, line: usize, width: i32, radius: i32): void {
  const first = f32x4.splat(load<f32>(row));
  const last = f32x4.splat(load<f32>(row + (usize(width) << 2) - 4));
  const start = line + ((usize(radius) + 1) << 2);
  for (let at = line; at < start; at += 16) v128.store(at, first);
  const end = start + (usize(width) << 2);
  // A row is too short for `memory.copy`, which is a function call in V8. Values that are read
  // after the row are overwritten below.
  for (let at = start; at < end; at += 16, row += 16) v128.store(at, v128.load(row));
  for (let at = end, stop = end + ((usize(radius) + 4) << 2); at < stop; at += 16) v128.store(at, last);
}

function sumOf(line: usize, count: i32): f32 {
  let sums = f32x4.splat(0);
  let i = 0;
  for (; i + 4 <= count; i += 4, line += 16) sums = f32x4.add(sums, v128.load(line));
  let sum =
    f32x4.extract_lane(sums, 0) +
    f32x4.extract_lane(sums, 1) +
    (f32x4.extract_lane(sums, 2) + f32x4.extract_lane(sums, 3));
  for (; i < count; i++, line += 4) sum += load<f32>(line);
  return sum;
}

// @ts-ignore: decorator
@inline
function prefix(steps: v128, zero: v128): v128 {
  const pairs = f32x4.add(steps, v128.shuffle<f32>(zero, steps, 0, 4, 5, 6));
  return f32x4.add(pairs, v128.shuffle<f32>(zero, pairs, 0, 1, 4, 5));
}

/** Blurs the columns. Works row by row with a running sum per column, so that memory is read in order. */
export function blurColumns(from: usize, to: usize, sums: usize, width: i32, height: i32, radius: i32): void {
  const window = 2 * radius + 1;
  const scale: f32 = 1 / f32(window);
  const scales = f32x4.splat(scale);
  const pitch = usize(width) << 2;
  const vectors = pitch & ~15;
  const last = from + pitch * (usize(height) - 1);
  for (let x: usize = 0; x < pitch; x += 4) store<f32>(sums + x, load<f32>(from + x) * (f32(radius) + 1));
  for (let y = 1; y <= radius; y++) {
    const row = min(last, from + pitch * usize(y));
    let x: usize = 0;
    for (; x < vectors; x += 16)
      v128.store(sums + x, f32x4.add(v128.load(sums + x), v128.load(row + x)));
    for (; x < pitch; x += 4) store<f32>(sums + x, load<f32>(sums + x) + load<f32>(row + x));
  }
  for (let y = 0; y < height; y++, to += pitch) {
    const enter = y + radius + 1 < height ? from + pitch * usize(y + radius + 1) : last;
    const leave = y > radius ? from + pitch * usize(y - radius) : from;
    let x: usize = 0;
    for (; x < vectors; x += 16) {
      const sum = v128.load(sums + x);
      v128.store(to + x, f32x4.mul(sum, scales));
      v128.store(sums + x, f32x4.add(sum, f32x4.sub(v128.load(enter + x), v128.load(leave + x))));
    }
    for (; x < pitch; x += 4) {
      const sum = load<f32>(sums + x);
      store<f32>(to + x, sum * scale);
      store<f32>(sums + x, sum + (load<f32>(enter + x) - load<f32>(leave + x)));
    }
  }
}
