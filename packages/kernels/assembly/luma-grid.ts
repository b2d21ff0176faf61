/** Writes half the sums of `taps` rows of bytes, each with its weight, in 16 bits. Reads and writes 31 values too far. */
function sumRows(samples: usize, stride: usize, rowBytes: i32, weights: usize, taps: i32, line: usize): void {
  for (let x = 0; x < rowBytes; x += 32, samples += 32, line += 64) {
    let a = i16x8.splat(0);
    let b = i16x8.splat(0);
    let c = i16x8.splat(0);
    let d = i16x8.splat(0);
    for (let tap: usize = 0, at = samples; tap < usize(taps); tap++, at += stride) {
      const weight = v128.load8_splat(weights + tap);
      const first = v128.load(at);
      const second = v128.load(at, 16);
      a = i16x8.add(a, i16x8.extmul_low_i8x16_u(first, weight));
      b = i16x8.add(b, i16x8.extmul_high_i8x16_u(first, weight));
      c = i16x8.add(c, i16x8.extmul_low_i8x16_u(second, weight));
      d = i16x8.add(d, i16x8.extmul_high_i8x16_u(second, weight));
    }
    v128.store(line, i16x8.shr_u(a, 1));
    v128.store(line, i16x8.shr_u(b, 1), 16);
    v128.store(line, i16x8.shr_u(c, 1), 32);
    v128.store(line, i16x8.shr_u(d, 1), 48);
  }
}

/** Returns the sum of the four integers of a vector. */
// @ts-ignore: decorator
@inline
function total(values: v128): i32 {
  const pairs = i32x4.add(values, v128.shuffle<i32>(values, values, 2, 3, 0, 1));
  return i32x4.extract_lane(pairs, 0) + i32x4.extract_lane(pairs, 1);
}

/**
 * See reduceToGrid in src/plain/luma-grid.ts. `rowFrom` counts from the row at `samples`. `rowWeights` are bytes, `columnWeights` 16-bit
 * integers, and `columnTaps` is a multiple of eight. `level` is one level over the sum of all weights. `line` has room for
 * `rowBytes + columnTaps + 32` 16-bit integers.
 */
export function reduceToGrid(
  samples: usize,
  stride: usize,
  rowBytes: i32,
  rowFrom: usize,
  rowWeights: usize,
  rowTaps: i32,
  rows: i32,
  columnFrom: usize,
  columnWeights: usize,
  columnTaps: i32,
  columns: i32,
  level: f32,
  line: usize,
  out: usize,
): void {
  for (let y = 0; y < rows; y++, rowFrom += 4, rowWeights += usize(rowTaps)) {
    sumRows(samples + usize(load<i32>(rowFrom)) * stride, stride, rowBytes, rowWeights, rowTaps, line);
    let weights = columnWeights;
    for (let x: usize = 0; x < usize(columns); x++, out += 4) {
      let at = line + (usize(load<i32>(columnFrom + (x << 2))) << 1);
      let sum = i32x4.splat(0);
      for (let tap = 0; tap < columnTaps; tap += 8, at += 16, weights += 16)
        sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load(at), v128.load(weights)));
      store<f32>(out, f32(total(sum)) * level);
    }
  }
}

/** Steps of a level in which enlarged rows are kept. */
const STEPS: f32 = 1024;

/**
 * Enlarges `count` rows of a grid, eight at a time, to lines of 16-bit steps that are `pitch` bytes apart. `width` is a multiple of
 * eight. `eight` has room for eight rows of 16 bits.
 */
function enlargeRows(
  grid: usize,
  side: i32,
  count: i32,
  columnFrom: usize,
  columnWeights: usize,
  width: i32,
  eight: usize,
  lines: usize,
  pitch: usize,
): void {
  const rowBytes = usize(side) << 2;
  for (let row = 0; row < count; row += 8, lines += pitch << 3) {
    for (let k = 0; k < 8; k++) {
      const from = grid + usize(min(row + k, count - 1)) * rowBytes;
      const to = eight + (usize(k) << 1);
      for (let x: usize = 0; x < rowBytes; x += 4)
        store<i16>(to + (x << 2), <i16>nearest(max<f32>(-16, min<f32>(16, load<f32>(from + x))) * STEPS));
    }
    for (let x: usize = 0; x < usize(width); x += 8) {
      const from = columnFrom + (x << 2);
      const weights = columnWeights + (x << 3);
      const a = mix(eight, from, weights);
      const b = mix(eight, from + 4, weights + 8);
      const c = mix(eight, from + 8, weights + 16);
      const d = mix(eight, from + 12, weights + 24);
      const e = mix(eight, from + 16, weights + 32);
      const f = mix(eight, from + 20, weights + 40);
      const g = mix(eight, from + 24, weights + 48);
      const h = mix(eight, from + 28, weights + 56);
      const acLow = lows16(a, c);
      const acHigh = highs16(a, c);
      const bdLow = lows16(b, d);
      const bdHigh = highs16(b, d);
      const egLow = lows16(e, g);
      const egHigh = highs16(e, g);
      const fhLow = lows16(f, h);
      const fhHigh = highs16(f, h);
      const to = lines + (x << 1);
      storeTwo(to, pitch, lows16(acLow, bdLow), lows16(egLow, fhLow));
      storeTwo(to + 2 * pitch, pitch, highs16(acLow, bdLow), highs16(egLow, fhLow));
      storeTwo(to + 4 * pitch, pitch, lows16(acHigh, bdHigh), lows16(egHigh, fhHigh));
      storeTwo(to + 6 * pitch, pitch, highs16(acHigh, bdHigh), highs16(egHigh, fhHigh));
    }
  }
}

/** Mixes four neighbouring samples of eight rows at once. */
// @ts-ignore: decorator
@inline
function mix(eight: usize, from: usize, weights: usize): v128 {
  const at = eight + (usize(load<i32>(from)) << 4);
  return i16x8.add(
    i16x8.add(
      i16x8.q15mulr_sat_s(v128.load(at), v128.load16_splat(weights)),
      i16x8.q15mulr_sat_s(v128.load(at, 16), v128.load16_splat(weights, 2)),
    ),
    i16x8.add(
      i16x8.q15mulr_sat_s(v128.load(at, 32), v128.load16_splat(weights, 4)),
      i16x8.q15mulr_sat_s(v128.load(at, 48), v128.load16_splat(weights, 6)),
    ),
  );
}

// @ts-ignore: decorator
@inline
function lows16(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

// @ts-ignore: decorator
@inline
function highs16(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

/** Stores the first halves of two vectors in one line, and their second halves in the next. */
// @ts-ignore: decorator
@inline
function storeTwo(to: usize, pitch: usize, left: v128, right: v128): void {
  v128.store(to, v128.shuffle<i64>(left, right, 0, 2));
  v128.store(to + pitch, v128.shuffle<i64>(left, right, 1, 3));
}

/** Returns the sum of four lines, each with its weight, as whole levels in 16 bits. */
// @ts-ignore: decorator
@inline
function sumOfFour(at: usize, pitch: usize, a: v128, b: v128, c: v128, d: v128): v128 {
  const sum = i16x8.add(
    i16x8.add(i16x8.q15mulr_sat_s(v128.load(at), a), i16x8.q15mulr_sat_s(v128.load(at + pitch), b)),
    i16x8.add(
      i16x8.q15mulr_sat_s(v128.load(at + 2 * pitch), c),
      i16x8.q15mulr_sat_s(v128.load(at + 3 * pitch), d),
    ),
  );
  return i16x8.shr_s(i16x8.add(sum, i16x8.splat(512)), 10);
}

/** Adds signed bytes to unsigned ones, at most to 0 and 255. */
// @ts-ignore: decorator
@inline
function changeBytes(at: usize, change: v128): void {
  const middle = i8x16.splat(-128);
  v128.store(at, v128.xor(i8x16.add_sat_s(v128.xor(v128.load(at), middle), change), middle));
}

/**
 * See addGrid in src/plain/luma-grid.ts. `rowFrom` counts from the row at `grid`, of which `count` rows are used. Both axes have four
 * taps, and weights in 16 bits. `columnFrom` and `columnWeights` have entries up to a multiple of 16. `eight` has room for `8 * side`
 * 16-bit integers, `lines` for `count + 7` lines of `width` of them, rounded up to a multiple of 16.
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
  eight: usize,
  lines: usize,
  samples: usize,
  stride: usize,
  channels: i32,
  width: i32,
): void {
  const columns = (width + 15) & ~15;
  const pitch = usize(columns) << 1;
  enlargeRows(grid, side, count, columnFrom, columnWeights, columns, eight, lines, pitch);
  for (let y = 0; y < rows; y++, rowFrom += 4, rowWeights += 8, samples += stride) {
    const a = v128.load16_splat(rowWeights);
    const b = v128.load16_splat(rowWeights, 2);
    const c = v128.load16_splat(rowWeights, 4);
    const d = v128.load16_splat(rowWeights, 6);
    let line = lines + usize(load<i32>(rowFrom)) * pitch;
    let to = samples;
    for (let left = width; left > 0; left -= 16, line += 32, to += usize(channels) << 4) {
      const change = i8x16.narrow_i16x8_s(
        sumOfFour(line, pitch, a, b, c, d),
        sumOfFour(line + 16, pitch, a, b, c, d),
      );
      if (left < 16) {
        v128.store(eight, change);
        addSome(to, eight, left, channels);
        break;
      }
      if (channels === 1) {
        changeBytes(to, change);
      } else {
        changeBytes(to, v128.shuffle<i8>(change, change, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5));
        changeBytes(to + 16, v128.shuffle<i8>(change, change, 5, 5, 6, 6, 6, 7, 7, 7, 8, 8, 8, 9, 9, 9, 10, 10));
        changeBytes(
          to + 32,
          v128.shuffle<i8>(change, change, 10, 11, 11, 11, 12, 12, 12, 13, 13, 13, 14, 14, 14, 15, 15, 15),
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
