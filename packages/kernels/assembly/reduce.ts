import { storeSome } from './store-some';
import { pair, storePixels } from './yuv';

/** Returns place number `tap` of `taps` places that are spread over `factor` samples. */
// @ts-ignore: decorator
@inline
function offsetOf(tap: i32, factor: i32, taps: i32): usize {
  return usize(((2 * tap + 1) * factor) / (2 * taps));
}

/**
 * Writes the sums (32 bits) of `taps` x `taps` samples for each of `count` neighbouring squares with the side `factor`, and up to
 * three more values. `line` has room for `count * factor + 32` values of 16 bits.
 */
function sumSquares(
  from: usize,
  stride: usize,
  factor: i32,
  taps: i32,
  count: i32,
  line: usize,
  sums: usize,
): void {
  const columns = count * factor;
  for (let x = 0, at = line; x < columns; x += 16, at += 32) {
    let low = i16x8.splat(0);
    let high = i16x8.splat(0);
    for (let tap = 0; tap < taps; tap++) {
      const samples = v128.load(from + usize(x) + offsetOf(tap, factor, taps) * stride);
      low = i16x8.add(low, i16x8.extend_low_i8x16_u(samples));
      high = i16x8.add(high, i16x8.extend_high_i8x16_u(samples));
    }
    v128.store(at, low);
    v128.store(at, high, 16);
  }
  if (factor === 2) {
    for (let x = 0; x < count; x += 4, line += 16, sums += 16)
      v128.store(sums, i32x4.extadd_pairwise_i16x8_u(v128.load(line)));
  } else if (factor === 4) {
    for (let x = 0; x < count; x += 4, line += 32, sums += 16) {
      const low = i32x4.extadd_pairwise_i16x8_u(v128.load(line));
      const high = i32x4.extadd_pairwise_i16x8_u(v128.load(line, 16));
      v128.store(
        sums,
        i32x4.add(v128.shuffle<i32>(low, high, 0, 2, 4, 6), v128.shuffle<i32>(low, high, 1, 3, 5, 7)),
      );
    }
  } else {
    for (let x = 0; x < count; x++, line += usize(factor) << 1, sums += 4) {
      let sum: i32 = 0;
      for (let tap = 0; tap < taps; tap++) sum += i32(load<u16>(line + (offsetOf(tap, factor, taps) << 1)));
      store<i32>(sums, sum);
    }
  }
}

/** See reduceLuma in src/reduce-region.ts. `line` has room for `width * (factor + 2) + 64` values of 16 bits. */
export function reduceLuma(
  luma: usize,
  stride: usize,
  factor: i32,
  width: i32,
  height: i32,
  line: usize,
  out: usize,
): void {
  const sums = line + ((usize(width * factor) + 32) << 1);
  const per = f32x4.splat(f32(factor * factor));
  for (let row = 0; row < height; row++, luma += stride * usize(factor)) {
    sumSquares(luma, stride, factor, factor, width, line, sums);
    let at = sums;
    for (let left = width; left > 0; left -= 4, at += 16, out += 16) {
      const means = f32x4.div(f32x4.convert_i32x4_s(v128.load(at)), per);
      if (left >= 4) v128.store(out, means);
      else storeSome(out, means, left);
    }
    out -= usize((4 - (width & 3)) & 3) << 2;
  }
}

/** Writes the sums (16 bits) of the four outer chroma samples of squares, each minus the neutral 128, and up to seven more values. */
function sumChroma(top: usize, bottom: usize, x: i32, factor: i32, count: i32, sums: usize): void {
  const neutral = i16x8.splat(512);
  if (factor === 4 && (x & 1) === 0) {
    for (let k = 0; k < count; k += 8, top += 16, bottom += 16, sums += 16) {
      const upper = i16x8.extadd_pairwise_i8x16_u(v128.load(top));
      const lower = i16x8.extadd_pairwise_i8x16_u(v128.load(bottom));
      v128.store(sums, i16x8.sub(i16x8.add(upper, lower), neutral));
    }
    return;
  }
  if (factor === 2 && (x & 1) === 0) {
    for (let k = 0; k < count; k += 8, top += 8, bottom += 8, sums += 16) {
      const both = i16x8.add(v128.load8x8_u(top), v128.load8x8_u(bottom));
      v128.store(sums, i16x8.sub(i16x8.add(both, both), neutral));
    }
    return;
  }
  const first = x >> 1;
  for (let k = 0; k < count; k++, x += factor, sums += 2) {
    const near = usize((x >> 1) - first);
    const far = usize(((x + factor - 1) >> 1) - first);
    const sum =
      i32(load<u8>(top + near)) +
      i32(load<u8>(top + far)) +
      i32(load<u8>(bottom + near)) +
      i32(load<u8>(bottom + far));
    store<i16>(sums, i16(sum - 512));
  }
}

/**
 * See reduceRegion in src/reduce-region.ts. `luma`, `cb` and `cr` point at the region's first samples. `lines` has room for
 * `width * (factor + 4) + 96` values of 16 bits. Reads 16 bytes after the samples.
 */
export function reduceYuv(
  luma: usize,
  lumaStride: usize,
  cb: usize,
  cbStride: usize,
  cr: usize,
  crStride: usize,
  x: i32,
  y: i32,
  factor: i32,
  taps: i32,
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
  const sums = lines + ((usize(width * factor) + 32) << 1);
  const us = sums + ((usize(width) + 16) << 2);
  const vs = us + ((usize(width) + 16) << 1);
  const squares = taps * taps;
  const base = i32x4.splat(4096 - blackLuma * lumaGain);
  const gain = i32x4.splat(lumaGain);
  const toRed = pair(0, rCr);
  const toGreen = pair(gCb, gCr);
  const toBlue = pair(bCb, 0);
  for (let row = 0; row < height; row++, luma += lumaStride * usize(factor)) {
    const at = y + row * factor;
    const top = usize((at >> 1) - (y >> 1));
    const bottom = usize(((at + factor - 1) >> 1) - (y >> 1));
    sumSquares(luma, lumaStride, factor, taps, width, lines, sums);
    sumChroma(cb + top * cbStride, cb + bottom * cbStride, x, factor, width, us);
    sumChroma(cr + top * crStride, cr + bottom * crStride, x, factor, width, vs);
    let sum = sums;
    let u = us;
    let v = vs;
    for (let left = width; left > 0; left -= 8, sum += 32, u += 16, v += 16, out += 24) {
      const baseLow = i32x4.add(base, perSquare(i32x4.mul(v128.load(sum), gain), squares));
      const baseHigh = i32x4.add(base, perSquare(i32x4.mul(v128.load(sum, 16), gain), squares));
      storePixels(out, baseLow, baseHigh, v128.load(u), v128.load(v), toRed, toGreen, toBlue, 2, left);
    }
    out -= usize((8 - (width & 7)) & 7) * 3;
  }
}

/** Divides integers that are at least 0 by 1, 4, 9 or 16, and rounds down. */
// @ts-ignore: decorator
@inline
function perSquare(values: v128, squares: i32): v128 {
  if (squares === 16) return i32x4.shr_u(values, 4);
  if (squares === 4) return i32x4.shr_u(values, 2);
  let each = values;
  each = i32x4.replace_lane(each, 0, i32x4.extract_lane(values, 0) / squares);
  each = i32x4.replace_lane(each, 1, i32x4.extract_lane(values, 1) / squares);
  each = i32x4.replace_lane(each, 2, i32x4.extract_lane(values, 2) / squares);
  return i32x4.replace_lane(each, 3, i32x4.extract_lane(values, 3) / squares);
}
