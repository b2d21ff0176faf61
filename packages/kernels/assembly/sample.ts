/** Results of `sampleFour`: red, green and blue of four places, 0..255. */
export let red: v128 = i32x4.splat(0);
export let green: v128 = i32x4.splat(0);
export let blue: v128 = i32x4.splat(0);
/**
 * Result of `sampleFour` if `wantsWithin` is true: all bits are set for a place that is not outside
 * of the centres of the border pixels.
 */
export let within: v128 = i32x4.splat(0);

/** Returns the luma of the last samples, with the given weight of each colour. */
// @ts-ignore: decorator
@inline
export function lumaOf(redShares: v128, greenShares: v128, blueShares: v128): v128 {
  return f32x4.add(
    f32x4.mul(red, redShares),
    f32x4.add(f32x4.mul(green, greenShares), f32x4.mul(blue, blueShares)),
  );
}

/** Largest coordinate. Larger ones are outside of all images. */
const FARTHEST: f64 = 1e6;

/** Returns the integer part of a coordinate, limited so that the rest fits 32 bits without loss. */
// @ts-ignore: decorator
@inline
export function wholeOf(x: f64): i32 {
  return i32(floor(x < -FARTHEST ? -FARTHEST : x > FARTHEST ? FARTHEST : x));
}

/**
 * Samples an interleaved RGB image at four places with bilinear interpolation. Outside of the
 * image, the border pixels are repeated. A coordinate is the sum of an integer (32 bits) and a rest
 * (32-bit float, of any size below 2^10); 0 is the centre of the first pixel.
 *
 * `mostX` and `mostY` are the last column and row of the image, and `strides` is the number of
 * bytes per row. Each vector has the value four times. They are parameters, because V8 would build
 * such constants again in each iteration of a loop. Reads up to a row and 8 bytes after the pixels.
 */
// @ts-ignore: decorator
@inline
export function sampleFour(
  image: usize,
  stride: usize,
  strides: v128,
  mostX: v128,
  mostY: v128,
  wholeX: v128,
  wholeY: v128,
  restX: v128,
  restY: v128,
  wantsWithin: bool,
): void {
  const floorX = f32x4.floor(restX);
  const floorY = f32x4.floor(restY);
  const columns = i32x4.add(wholeX, i32x4.relaxed_trunc_f32x4_s(floorX));
  const rows = i32x4.add(wholeY, i32x4.relaxed_trunc_f32x4_s(floorY));
  const zero = i32x4.splat(0);
  const heldX = i32x4.min_s(i32x4.max_s(columns, zero), mostX);
  const heldY = i32x4.min_s(i32x4.max_s(rows, zero), mostY);
  // All bits are set where there is a next column, or a next row, for the interpolation.
  const insideX = v128.andnot(i32x4.eq(heldX, columns), i32x4.eq(heldX, mostX));
  const insideY = v128.andnot(i32x4.eq(heldY, rows), i32x4.eq(heldY, mostY));
  const shareX = f32x4.sub(restX, floorX);
  const shareY = f32x4.sub(restY, floorY);
  const fx = v128.and(shareX, insideX);
  const fy = v128.and(shareY, insideY);
  if (wantsWithin) {
    // In the last column, only places exactly at its centre are within the image; so in the last
    // row.
    const atX = v128.and(i32x4.eq(columns, mostX), f32x4.eq(shareX, zero));
    const atY = v128.and(i32x4.eq(rows, mostY), f32x4.eq(shareY, zero));
    within = v128.and(v128.or(insideX, atX), v128.or(insideY, atY));
  }
  mixNeighbours(image, stride, strides, heldX, heldY, fx, fy);
}

/** Samples four places that are `isInside`, without limits at the borders. Sets all of `within`. */
// @ts-ignore: decorator
@inline
export function sampleInside(
  image: usize,
  stride: usize,
  strides: v128,
  wholeX: v128,
  wholeY: v128,
  restX: v128,
  restY: v128,
): void {
  const floorX = f32x4.floor(restX);
  const floorY = f32x4.floor(restY);
  const columns = i32x4.add(wholeX, i32x4.relaxed_trunc_f32x4_s(floorX));
  const rows = i32x4.add(wholeY, i32x4.relaxed_trunc_f32x4_s(floorY));
  mixNeighbours(image, stride, strides, columns, rows, f32x4.sub(restX, floorX), f32x4.sub(restY, floorY));
}

/**
 * Returns whether all coordinates between two are at least a pixel away from the first and the last
 * pixel, also after rounding to 32 bits.
 */
// @ts-ignore: decorator
@inline
export function isInside(from: f64, to: f64, last: i32): bool {
  return min(from, to) >= 1 && max(from, to) <= f64(last - 2);
}

// @ts-ignore: decorator
@inline
function mixNeighbours(
  image: usize,
  stride: usize,
  strides: v128,
  columns: v128,
  rows: v128,
  fx: v128,
  fy: v128,
): void {
  const offsets = i32x4.add(i32x4.mul(rows, strides), i32x4.add(columns, i32x4.add(columns, columns)));
  const low = i64x2.extract_lane(offsets, 0);
  const high = i64x2.extract_lane(offsets, 1);
  const a = image + usize(u32(low));
  const b = image + usize(low >> 32);
  const c = image + usize(u32(high));
  const d = image + usize(high >> 32);
  // Eight bytes: a pixel, the next pixel, and two more bytes. In the last column and row, the neighbours have the weight 0.
  const upperAb = v128.load_lane<i64>(b, v128.load64_zero(a), 1);
  const upperCd = v128.load_lane<i64>(d, v128.load64_zero(c), 1);
  const lowerAb = v128.load_lane<i64>(b + stride, v128.load64_zero(a + stride), 1);
  const lowerCd = v128.load_lane<i64>(d + stride, v128.load64_zero(c + stride), 1);
  // For each place: red, green, blue and the red of the next pixel; then its green and blue.
  const upper = v128.shuffle<i32>(upperAb, upperCd, 0, 2, 4, 6);
  const upperBeside = v128.shuffle<i32>(upperAb, upperCd, 1, 3, 5, 7);
  const lower = v128.shuffle<i32>(lowerAb, lowerCd, 0, 2, 4, 6);
  const lowerBeside = v128.shuffle<i32>(lowerAb, lowerCd, 1, 3, 5, 7);
  red = bilinear(byteOf(upper, 0), byteOf(upper, 24), byteOf(lower, 0), byteOf(lower, 24), fx, fy);
  green = bilinear(byteOf(upper, 8), byteOf(upperBeside, 0), byteOf(lower, 8), byteOf(lowerBeside, 0), fx, fy);
  blue = bilinear(byteOf(upper, 16), byteOf(upperBeside, 8), byteOf(lower, 16), byteOf(lowerBeside, 8), fx, fy);
}

/** Returns eight bits of each value, beginning at `bit`, as floats. */
// @ts-ignore: decorator
@inline
function byteOf(pixels: v128, bit: i32): v128 {
  let value = pixels;
  if (bit !== 24) value = i32x4.shl(value, 24 - bit);
  return f32x4.convert_i32x4_s(i32x4.shr_u(value, 24));
}

// @ts-ignore: decorator
@inline
function bilinear(topLeft: v128, topRight: v128, bottomLeft: v128, bottomRight: v128, fx: v128, fy: v128): v128 {
  const upper = f32x4.add(topLeft, f32x4.mul(f32x4.sub(topRight, topLeft), fx));
  const lower = f32x4.add(bottomLeft, f32x4.mul(f32x4.sub(bottomRight, bottomLeft), fx));
  return f32x4.add(upper, f32x4.mul(f32x4.sub(lower, upper), fy));
}
