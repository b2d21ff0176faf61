/**
 * Coefficients are as in src/plain/yuv-region.ts; 2^13 is 1. All numbers except sums fit 16 bits.
 */

/** Packs two coefficients for `i32x4.dot_i16x8_s`. */
// @ts-ignore: decorator
@inline
export function pair(even: i32, odd: i32): v128 {
  return i32x4.splat((even & 0xffff) | (odd << 16));
}

// @ts-ignore: decorator
@inline
function interleaveLow(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

// @ts-ignore: decorator
@inline
function interleaveHigh(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

/**
 * Interpolates one row of chroma to the resolution of luma, in eighths of a level, minus the neutral 128. `near` and `other`
 * are the chroma rows with the weights 3/4 and 1/4, beginning at the same column. Writes `2 * count` values and up to 16
 * more. `line` has room for `count + 9` values. Reads 8 bytes after the samples.
 */
function chromaRow(near: usize, other: usize, line: usize, out: usize, count: i32): void {
  const neutral = i16x8.splat(512);
  const three = i16x8.splat(3);
  for (let i = 0, at = line; i < count; i += 8, near += 8, other += 8, at += 16)
    v128.store(
      at,
      i16x8.sub(i16x8.add(i16x8.mul(v128.load8x8_u(near), three), v128.load8x8_u(other)), neutral),
    );
  // The last column is repeated.
  const end = line + (usize(count) << 1);
  store<i16>(end, load<i16>(end - 2));
  for (; line < end; line += 16, out += 32) {
    const value = v128.load(line);
    const even = i16x8.add(value, value);
    const odd = i16x8.add(value, v128.load(line, 2));
    v128.store(out, interleaveLow(even, odd));
    v128.store(out, interleaveHigh(even, odd), 16);
  }
}

/**
 * See regionToRgb in src/yuv.ts. `luma` points at the region's first sample, `cb` and `cr` at the first column of chroma
 * that it needs, in the frame's first row of chroma that lies in the frame. `lines` has room for
 * `6 * columns + 96` values of 16 bits.
 */
export function yuvToRgb(
  luma: usize,
  lumaStride: usize,
  cb: usize,
  cbStride: usize,
  cr: usize,
  crStride: usize,
  firstChromaRow: i32,
  chromaHeight: i32,
  columns: i32,
  x: i32,
  y: i32,
  width: i32,
  height: i32,
  blackLuma: i32,
  lumaGain: i32,
  rCr: i32,
  gCb: i32,
  gCr: i32,
  bCb: i32,
  lines: usize,
  out: usize,
): void {
  const line = lines;
  const us = line + ((usize(columns) + 16) << 1);
  const vs = us + ((usize(columns) + 16) << 2);
  const black = i16x8.splat(i16(blackLuma));
  // 64 * 64 is one half, for rounding.
  const half = i16x8.splat(64);
  const gain = pair(lumaGain, 64);
  const toRed = pair(0, rCr);
  const toGreen = pair(gCb, gCr);
  const toBlue = pair(bCb, 0);
  for (let row = 0; row < height; row++, luma += lumaStride) {
    const at = y + row;
    const near = at >> 1;
    const other = (at & 1) === 0 ? max(0, near - 1) : min(chromaHeight - 1, near + 1);
    const nearRow = usize(near - firstChromaRow);
    const otherRow = usize(other - firstChromaRow);
    chromaRow(cb + nearRow * cbStride, cb + otherRow * cbStride, line, us, columns);
    chromaRow(cr + nearRow * crStride, cr + otherRow * crStride, line, vs, columns);
    let from = luma;
    let u = us + (usize(x & 1) << 1);
    let v = vs + (usize(x & 1) << 1);
    for (let left = width; left > 0; left -= 8, from += 8, u += 16, v += 16, out += 24) {
      const level = i16x8.sub(v128.load8x8_u(from), black);
      const baseLow = i32x4.dot_i16x8_s(interleaveLow(level, half), gain);
      const baseHigh = i32x4.dot_i16x8_s(interleaveHigh(level, half), gain);
      storePixels(out, baseLow, baseHigh, v128.load(u), v128.load(v), toRed, toGreen, toBlue, 3, left);
    }
    out -= usize((8 - (width & 7)) & 7) * 3;
  }
}

/** Returns one channel of eight pixels, whose chroma is scaled by 2^`bits`. */
// @ts-ignore: decorator
@inline
function channel(low: v128, high: v128, baseLow: v128, baseHigh: v128, share: v128, bits: i32): v128 {
  const colourLow = i32x4.shr_s(i32x4.dot_i16x8_s(low, share), bits);
  const colourHigh = i32x4.shr_s(i32x4.dot_i16x8_s(high, share), bits);
  return i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(baseLow, colourLow), 13),
    i32x4.shr_s(i32x4.add(baseHigh, colourHigh), 13),
  );
}

/** Stores the first `count` of eight pixels, interleaved. Their luma is in 2^-13 of a level, their chroma is scaled by 2^`bits`. */
// @ts-ignore: decorator
@inline
export function storePixels(
  to: usize,
  baseLow: v128,
  baseHigh: v128,
  cb: v128,
  cr: v128,
  toRed: v128,
  toGreen: v128,
  toBlue: v128,
  bits: i32,
  count: i32,
): void {
  const low = interleaveLow(cb, cr);
  const high = interleaveHigh(cb, cr);
  const red = channel(low, high, baseLow, baseHigh, toRed, bits);
  const green = channel(low, high, baseLow, baseHigh, toGreen, bits);
  const blue = channel(low, high, baseLow, baseHigh, toBlue, bits);
  const redGreen = i8x16.narrow_i16x8_u(red, green);
  const blues = i8x16.narrow_i16x8_u(blue, blue);
  const first = v128.shuffle<i8>(redGreen, blues, 0, 8, 16, 1, 9, 17, 2, 10, 18, 3, 11, 19, 4, 12, 20, 5);
  const rest = v128.shuffle<i8>(redGreen, blues, 13, 21, 6, 14, 22, 7, 15, 23, 0, 0, 0, 0, 0, 0, 0, 0);
  if (count >= 8) {
    v128.store(to, first);
    v128.store_lane<i64>(to, rest, 0, 16);
  } else {
    storeBytes(to, first, rest, usize(count) * 3);
  }
}

/** Stores the first `count` bytes (fewer than 24) of two vectors. */
function storeBytes(to: usize, first: v128, rest: v128, count: usize): void {
  let value = first;
  let at: usize = 0;
  for (; at < count; at++) {
    if (at === 16) value = rest;
    store<u8>(to + at, u8(i8x16.extract_lane_u(value, 0)));
    value = v128.shuffle<i8>(value, value, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0);
  }
}

/** Returns the reds of eight RGB pixels as 16 bits. `a` has the first 16 of their 24 bytes, and `b` the last 16. */
// @ts-ignore: decorator
@inline
export function reds(a: v128, b: v128): v128 {
  return i16x8.extend_low_i8x16_u(
    v128.shuffle<i8>(a, b, 0, 3, 6, 9, 12, 15, 26, 29, 0, 0, 0, 0, 0, 0, 0, 0),
  );
}

// @ts-ignore: decorator
@inline
export function greens(a: v128, b: v128): v128 {
  return i16x8.extend_low_i8x16_u(
    v128.shuffle<i8>(a, b, 1, 4, 7, 10, 13, 24, 27, 30, 0, 0, 0, 0, 0, 0, 0, 0),
  );
}

// @ts-ignore: decorator
@inline
export function blues(a: v128, b: v128): v128 {
  return i16x8.extend_low_i8x16_u(
    v128.shuffle<i8>(a, b, 2, 5, 8, 11, 14, 25, 28, 31, 0, 0, 0, 0, 0, 0, 0, 0),
  );
}

/**
 * See addRgbDifference in src/yuv.ts. `luma` points at the region's first sample, `cb` and `cr` at the first that it
 * touches. `columns` columns of chroma are summed, of which `used` are inside the frame. `sums` has room for
 * `2 * (columns + 8)` numbers of 32 bits.
 */
export function addRgbDifference(
  luma: usize,
  lumaStride: usize,
  cb: usize,
  cbStride: usize,
  cr: usize,
  crStride: usize,
  columns: i32,
  used: i32,
  x: i32,
  y: i32,
  width: i32,
  height: i32,
  yR: i32,
  yG: i32,
  yB: i32,
  cbR: i32,
  cbG: i32,
  cbB: i32,
  crR: i32,
  crG: i32,
  crB: i32,
  before: usize,
  after: usize,
  sums: usize,
): void {
  const cbSums = sums;
  const room = (usize(columns) + 8) << 2;
  const crSums = sums + room;
  memory.fill(sums, 0, 2 * room);
  const half = i16x8.splat(64);
  const toLuma = pair(yR, yG);
  const toLumaB = pair(yB, 64);
  const toCb = pair(cbR, cbG);
  const toCbB = pair(cbB, 0);
  const toCr = pair(crR, crG);
  const toCrB = pair(crB, 0);
  for (let row = 0; row < height; row++, luma += lumaStride) {
    let at = luma;
    let cell: usize = 0;
    let left = width;
    if ((x & 1) === 1) {
      // An odd column is added to both neighbours.
      addOne(at, before, after, yR, yG, yB);
      const u = weighed(before, after, cbR, cbG, cbB);
      const v = weighed(before, after, crR, crG, crB);
      addTo(cbSums, u);
      addTo(crSums, v);
      addTo(cbSums + 4, u);
      addTo(crSums + 4, v);
      at += 1;
      before += 3;
      after += 3;
      cell += 4;
      left -= 1;
    }
    let carryU = i32x4.splat(0);
    let carryV = i32x4.splat(0);
    for (; left >= 8; left -= 8, at += 8, before += 24, after += 24, cell += 16) {
      const oldA = v128.load(before);
      const oldB = v128.load(before, 8);
      const newA = v128.load(after);
      const newB = v128.load(after, 8);
      const red = i16x8.sub(reds(newA, newB), reds(oldA, oldB));
      const green = i16x8.sub(greens(newA, newB), greens(oldA, oldB));
      const blue = i16x8.sub(blues(newA, newB), blues(oldA, oldB));
      const low = interleaveLow(red, green);
      const high = interleaveHigh(red, green);
      const lowB = interleaveLow(blue, half);
      const highB = interleaveHigh(blue, half);
      const step = i16x8.narrow_i32x4_s(
        i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(low, toLuma), i32x4.dot_i16x8_s(lowB, toLumaB)), 13),
        i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(high, toLuma), i32x4.dot_i16x8_s(highB, toLumaB)), 13),
      );
      const level = i16x8.add(v128.load8x8_u(at), step);
      v128.store_lane<i64>(at, i8x16.narrow_i16x8_u(level, level), 0);
      const uLow = i32x4.add(i32x4.dot_i16x8_s(low, toCb), i32x4.dot_i16x8_s(lowB, toCbB));
      const uHigh = i32x4.add(i32x4.dot_i16x8_s(high, toCb), i32x4.dot_i16x8_s(highB, toCbB));
      carryU = addChroma(cbSums + cell, uLow, uHigh, carryU);
      const vLow = i32x4.add(i32x4.dot_i16x8_s(low, toCr), i32x4.dot_i16x8_s(lowB, toCrB));
      const vHigh = i32x4.add(i32x4.dot_i16x8_s(high, toCr), i32x4.dot_i16x8_s(highB, toCrB));
      carryV = addChroma(crSums + cell, vLow, vHigh, carryV);
    }
    addTo(cbSums + cell, i32x4.extract_lane(carryU, 3));
    addTo(crSums + cell, i32x4.extract_lane(carryV, 3));
    for (let odd = false; left > 0; left--, at += 1, before += 3, after += 3, odd = !odd) {
      addOne(at, before, after, yR, yG, yB);
      const u = weighed(before, after, cbR, cbG, cbB);
      const v = weighed(before, after, crR, crG, crB);
      addTo(cbSums + cell, odd ? u : 2 * u);
      addTo(crSums + cell, odd ? v : 2 * v);
      if (!odd) continue;
      cell += 4;
      addTo(cbSums + cell, u);
      addTo(crSums + cell, v);
    }
    // Two rows of luma have one common row of chroma.
    if (((y + row) & 1) === 1 || row === height - 1) {
      spendSums(cb, cbSums, used);
      spendSums(cr, crSums, used);
      cb += cbStride;
      cr += crStride;
      memory.fill(sums, 0, 2 * room);
    }
  }
}

/** Returns the weighted difference of one pixel, times 2^13. */
// @ts-ignore: decorator
@inline
function weighed(before: usize, after: usize, r: i32, g: i32, b: i32): i32 {
  return (
    r * (i32(load<u8>(after)) - i32(load<u8>(before))) +
    g * (i32(load<u8>(after, 1)) - i32(load<u8>(before, 1))) +
    b * (i32(load<u8>(after, 2)) - i32(load<u8>(before, 2)))
  );
}

function addOne(luma: usize, before: usize, after: usize, yR: i32, yG: i32, yB: i32): void {
  const level = i32(load<u8>(luma)) + ((weighed(before, after, yR, yG, yB) + 4096) >> 13);
  store<u8>(luma, min(max(level, 0), 255));
}

// @ts-ignore: decorator
@inline
function addTo(sum: usize, value: i32): void {
  store<i32>(sum, load<i32>(sum) + value);
}

/**
 * Adds the differences of eight pixels to four sums: twice those of the even columns, and once those of the odd columns on
 * both sides. Returns the odd ones: the last lane also belongs to the next sum. `carry` is this result for the eight before.
 */
// @ts-ignore: decorator
@inline
function addChroma(sums: usize, low: v128, high: v128, carry: v128): v128 {
  const even = v128.shuffle<i32>(low, high, 0, 2, 4, 6);
  const odd = v128.shuffle<i32>(low, high, 1, 3, 5, 7);
  const before = v128.shuffle<i32>(carry, odd, 3, 4, 5, 6);
  const share = i32x4.add(i32x4.add(even, even), i32x4.add(odd, before));
  v128.store(sums, i32x4.add(v128.load(sums), share));
  return odd;
}

/** Adds the sums to the chroma. The weights add up to 8 and the matrix is scaled by 2^13, so the sums are divided by 2^16. */
function spendSums(chroma: usize, sums: usize, count: i32): void {
  const half = i32x4.splat(32768);
  for (; count >= 8; count -= 8, chroma += 8, sums += 32) {
    const step = i16x8.narrow_i32x4_s(
      i32x4.shr_s(i32x4.add(v128.load(sums), half), 16),
      i32x4.shr_s(i32x4.add(v128.load(sums, 16), half), 16),
    );
    const level = i16x8.add(v128.load8x8_u(chroma), step);
    v128.store_lane<i64>(chroma, i8x16.narrow_i16x8_u(level, level), 0);
  }
  for (; count > 0; count--, chroma += 1, sums += 4) {
    const level = i32(load<u8>(chroma)) + ((load<i32>(sums) + 32768) >> 16);
    store<u8>(chroma, min(max(level, 0), 255));
  }
}
