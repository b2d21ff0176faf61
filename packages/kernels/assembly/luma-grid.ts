import { blues, greens, reds } from './yuv';

/** Writes the sum of the luma of `taps` rows, each with its weight, and zeros after its end. Reads 16 bytes too far. */
function sumRows(
  samples: usize,
  stride: usize,
  channels: i32,
  width: i32,
  weights: usize,
  taps: i32,
  line: usize,
): void {
  const ofRed = i16x8.splat(77);
  const ofGreen = i16x8.splat(150);
  const ofBlue = i16x8.splat(29);
  const scale = f32x4.splat(channels === 1 ? 1 : 1 / <f32>256);
  for (let x = 0; x < width; x += 8, samples += usize(channels) << 3, line += 32) {
    let low = f32x4.splat(0);
    let high = f32x4.splat(0);
    for (let tap: usize = 0, at = samples; tap < usize(taps); tap++, at += stride) {
      const first = v128.load(at);
      let luma: v128;
      if (channels === 1) {
        luma = i16x8.extend_low_i8x16_u(first);
      } else {
        const rest = v128.load(at, 8);
        luma = i16x8.add(
          i16x8.mul(reds(first, rest), ofRed),
          i16x8.add(i16x8.mul(greens(first, rest), ofGreen), i16x8.mul(blues(first, rest), ofBlue)),
        );
      }
      const weight = v128.load32_splat(weights + (tap << 2));
      low = f32x4.add(low, f32x4.mul(weight, f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(luma))));
      high = f32x4.add(high, f32x4.mul(weight, f32x4.convert_i32x4_u(i32x4.extend_high_i16x8_u(luma))));
    }
    v128.store(line, f32x4.mul(low, scale));
    v128.store(line, f32x4.mul(high, scale), 16);
  }
  v128.store(line, f32x4.splat(0));
}

/** Returns the sum of the four values of a vector. */
// @ts-ignore: decorator
@inline
function total(values: v128): f32 {
  const pairs = f32x4.add(values, v128.shuffle<f32>(values, values, 2, 3, 0, 1));
  return f32x4.extract_lane(pairs, 0) + f32x4.extract_lane(pairs, 1);
}

/**
 * See reduceToGrid in src/plain/luma-grid.ts. `rowFrom` counts from the row at `samples`. `columnTaps` is a multiple of four: weights
 * are padded with zeros. `line` has room for `width + 12` floats.
 */
export function reduceToGrid(
  samples: usize,
  stride: usize,
  channels: i32,
  width: i32,
  rowFrom: usize,
  rowWeights: usize,
  rowTaps: i32,
  rows: i32,
  columnFrom: usize,
  columnWeights: usize,
  columnTaps: i32,
  columns: i32,
  line: usize,
  out: usize,
): void {
  for (let y = 0; y < rows; y++, rowFrom += 4, rowWeights += usize(rowTaps) << 2) {
    sumRows(samples + usize(load<i32>(rowFrom)) * stride, stride, channels, width, rowWeights, rowTaps, line);
    let weights = columnWeights;
    for (let x: usize = 0; x < usize(columns); x++, out += 4) {
      let at = line + (usize(load<i32>(columnFrom + (x << 2))) << 2);
      let sum = f32x4.splat(0);
      for (let tap = 0; tap < columnTaps; tap += 4, at += 16, weights += 16)
        sum = f32x4.add(sum, f32x4.mul(v128.load(at), v128.load(weights)));
      store<f32>(out, total(sum));
    }
  }
}

/**
 * Enlarges `count` rows of a grid, four at a time, to lines that are `pitch` bytes apart. `width` is a multiple of four. `four` has
 * room for four rows.
 */
function enlargeRows(
  grid: usize,
  side: i32,
  count: i32,
  columnFrom: usize,
  columnWeights: usize,
  width: i32,
  four: usize,
  lines: usize,
  pitch: usize,
): void {
  const rowBytes = usize(side) << 2;
  for (let row = 0; row < count; row += 4, lines += pitch << 2) {
    for (let k = 0; k < 4; k++) {
      const from = grid + usize(min(row + k, count - 1)) * rowBytes;
      for (let x: usize = 0; x < rowBytes; x += 4) store<f32>(four + (x << 2) + (usize(k) << 2), load<f32>(from + x));
    }
    for (let x: usize = 0; x < usize(width) << 2; x += 16) {
      const a = mix(four, columnFrom + x, columnWeights + (x << 2));
      const b = mix(four, columnFrom + x + 4, columnWeights + (x << 2) + 16);
      const c = mix(four, columnFrom + x + 8, columnWeights + (x << 2) + 32);
      const d = mix(four, columnFrom + x + 12, columnWeights + (x << 2) + 48);
      const abLow = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
      const abHigh = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
      const cdLow = v128.shuffle<f32>(c, d, 0, 4, 1, 5);
      const cdHigh = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
      const to = lines + x;
      v128.store(to, v128.shuffle<i64>(abLow, cdLow, 0, 2));
      v128.store(to + pitch, v128.shuffle<i64>(abLow, cdLow, 1, 3));
      v128.store(to + 2 * pitch, v128.shuffle<i64>(abHigh, cdHigh, 0, 2));
      v128.store(to + 3 * pitch, v128.shuffle<i64>(abHigh, cdHigh, 1, 3));
    }
  }
}

/** Mixes four neighbouring samples of four rows at once. */
// @ts-ignore: decorator
@inline
function mix(four: usize, from: usize, weights: usize): v128 {
  const at = four + (usize(load<i32>(from)) << 4);
  return f32x4.add(
    f32x4.add(
      f32x4.mul(v128.load(at), v128.load32_splat(weights)),
      f32x4.mul(v128.load(at, 16), v128.load32_splat(weights, 4)),
    ),
    f32x4.add(
      f32x4.mul(v128.load(at, 32), v128.load32_splat(weights, 8)),
      f32x4.mul(v128.load(at, 48), v128.load32_splat(weights, 12)),
    ),
  );
}

/** Returns the sum of four rows, each with its weight, as rounded integers. */
// @ts-ignore: decorator
@inline
function sumOfFour(at: usize, pitch: usize, a: v128, b: v128, c: v128, d: v128): v128 {
  const sum = f32x4.add(
    f32x4.add(f32x4.mul(v128.load(at), a), f32x4.mul(v128.load(at + pitch), b)),
    f32x4.add(f32x4.mul(v128.load(at + 2 * pitch), c), f32x4.mul(v128.load(at + 3 * pitch), d)),
  );
  return i32x4.trunc_sat_f32x4_s(f32x4.nearest(sum));
}

// @ts-ignore: decorator
@inline
function changed(samples: v128, more: v128, less: v128): v128 {
  return i8x16.sub_sat_u(i8x16.add_sat_u(samples, more), less);
}

/**
 * See addGrid in src/plain/luma-grid.ts. `rowFrom` counts from the row at `grid`, of which `count` rows are used. Both axes have four
 * taps. `columnFrom` and `columnWeights` have entries up to a multiple of 16. `four` has room for `4 * side` floats, `lines` for
 * `count + 3` lines of `width` floats, rounded up to a multiple of 16.
 */
export function addGrid(
  grid: usize,
  side: i32,
  count: i32,
  rowFrom: usize,
  rowWeights: usize,
  rows: i32,
  columnFrom: usize,
  columnWeights: usize,
  four: usize,
  lines: usize,
  samples: usize,
  stride: usize,
  channels: i32,
  width: i32,
): void {
  const columns = (width + 15) & ~15;
  const pitch = usize(columns) << 2;
  enlargeRows(grid, side, count, columnFrom, columnWeights, columns, four, lines, pitch);
  for (let y = 0; y < rows; y++, rowFrom += 4, rowWeights += 16, samples += stride) {
    const a = v128.load32_splat(rowWeights);
    const b = v128.load32_splat(rowWeights, 4);
    const c = v128.load32_splat(rowWeights, 8);
    const d = v128.load32_splat(rowWeights, 12);
    let line = lines + usize(load<i32>(rowFrom)) * pitch;
    let to = samples;
    for (let left = width; left > 0; left -= 16, line += 64, to += usize(channels) << 4) {
      const change = i8x16.narrow_i16x8_s(
        i16x8.narrow_i32x4_s(sumOfFour(line, pitch, a, b, c, d), sumOfFour(line + 16, pitch, a, b, c, d)),
        i16x8.narrow_i32x4_s(sumOfFour(line + 32, pitch, a, b, c, d), sumOfFour(line + 48, pitch, a, b, c, d)),
      );
      if (left < 16) {
        v128.store(four, change);
        addSome(to, four, left, channels);
        break;
      }
      const more = i8x16.max_s(change, i8x16.splat(0));
      const less = i8x16.max_s(i8x16.neg(change), i8x16.splat(0));
      if (channels === 1) {
        v128.store(to, changed(v128.load(to), more, less));
      } else {
        v128.store(
          to,
          changed(
            v128.load(to),
            v128.shuffle<i8>(more, more, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5),
            v128.shuffle<i8>(less, less, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5),
          ),
        );
        v128.store(
          to,
          changed(
            v128.load(to, 16),
            v128.shuffle<i8>(more, more, 5, 5, 6, 6, 6, 7, 7, 7, 8, 8, 8, 9, 9, 9, 10, 10),
            v128.shuffle<i8>(less, less, 5, 5, 6, 6, 6, 7, 7, 7, 8, 8, 8, 9, 9, 9, 10, 10),
          ),
          16,
        );
        v128.store(
          to,
          changed(
            v128.load(to, 32),
            v128.shuffle<i8>(more, more, 10, 11, 11, 11, 12, 12, 12, 13, 13, 13, 14, 14, 14, 15, 15, 15),
            v128.shuffle<i8>(less, less, 10, 11, 11, 11, 12, 12, 12, 13, 13, 13, 14, 14, 14, 15, 15, 15),
          ),
          32,
        );
      }
    }
  }
}

/** Adds the first `count` changes of a vector to the samples at the end of a row. */
function addSome(to: usize, changes: usize, count: i32, channels: i32): void {
  for (let k = 0; k < count; k++) {
    const change = i32(load<i8>(changes + usize(k)));
    for (let c = 0; c < channels; c++, to++) store<u8>(to, u8(max(0, min(255, i32(load<u8>(to)) + change))));
  }
}
