/**
 * Byte shuffles and noise multipliers, 16 bytes each. They are in memory, because V8 builds a
 * constant vector again in each iteration of a loop. The first two shuffles widen the first and the
 * second pair of four RGB pixels (12 bytes) to 16 bits, with an empty fourth channel. The third
 * does the reverse.
 */
const FIRST_PAIR = memory.data<u8>([
  0, 128, 1, 128, 2, 128, 128, 128, 3, 128, 4, 128, 5, 128, 128, 128, 6, 128, 7, 128, 8, 128, 128, 128, 9, 128, 10,
  128, 11, 128, 128, 128, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 128, 128, 128, 128,
]);
const HASHES = memory.data<u32>([
  0x9e3779b1, 0x9e3779b1, 0x9e3779b1, 0x9e3779b1, 0x2c1b3c6d, 0x2c1b3c6d, 0x2c1b3c6d, 0x2c1b3c6d, 0x297a2d39,
  0x297a2d39, 0x297a2d39, 0x297a2d39,
]);

/**
 * Kernel of src/face/draw-triangles.ts. `image` is the part of the picture that the triangles
 * sample; `lastX` and `lastY` are its last column and row. `below` and `out` are the pixels of the
 * area before and after drawing. `shares` has room for 16 bits per pixel of the area.
 *
 * The 12 maps of a triangle give the texel and the pixel of the part. All numbers are fixed point:
 * 1 is 2^16 in coordinates, 2^6 in colours, and 2^15 in shares. Their products never overflow, so
 * relaxed multiplication gives exact results on all machines.
 */
export function drawTriangles(
  count: i32,
  first: usize,
  row: usize,
  left: usize,
  right: usize,
  maps: usize,
  flags: usize,
  texture: usize,
  side: i32,
  image: usize,
  stride: i32,
  lastX: i32,
  lastY: i32,
  below: usize,
  belowStride: i32,
  out: usize,
  outStride: i32,
  allowance: usize,
  shares: usize,
  width: i32,
  height: i32,
  grain: f32,
  grainX: i32,
  grainY: i32,
): void {
  toShares(allowance, shares, width * height);
  const texelStride = usize(side) << 3;
  const lasts = v128.shl<i32>(fourOf(side - 1, side - 1, lastX, lastY), 16);
  const factors = fourOf(8, i32(texelStride), 3, stride);
  const half = i16x8.splat(32);
  const opaque = i16x8.splat(OPAQUE);
  const ramp = i32x4(0, 1, 2, 3);
  // The sum of four random bytes has the mean 510 and the standard deviation 147.8.
  const perNoise = f32x4.splat((grain * 64) / 147.8);
  const meanNoise = i32x4.splat(510);
  for (let t = 0; t < count; t++, first += 4, maps += 96) {
    const flag = load<u8>(flags + usize(t));
    const painted = i32x4.splat((flag & 1) !== 0 ? -1 : 0);
    const still = (flag & 2) !== 0;
    const step = fourOf(fixed(load<f64>(maps)), fixed(load<f64>(maps, 24)), fixed(load<f64>(maps, 48)), fixed(load<f64>(maps, 72)));
    for (let run = usize(load<u32>(first)), end = usize(load<u32>(first, 4)); run < end; run++) {
      const y = i32(load<u16>(row + (run << 1)));
      const from = i32(load<u16>(left + (run << 1)));
      const to = i32(load<u16>(right + (run << 1)));
      let place = fourOf(
        placed(maps, from, y),
        placed(maps + 24, from, y),
        placed(maps + 48, from, y),
        placed(maps + 72, from, y),
      );
      let share = shares + (usize(y * width + from) << 1);
      let under = below + usize(y * belowStride + from * 3);
      let at = out + usize(y * outStride + from * 3);
      const hashY = i32x4.splat((y + grainY) * 0x85ebca6b);
      for (let x = from; x < to; x += 4, share += 8, under += 12, at += 12) {
        const p0 = place;
        const p1 = i32x4.add(p0, step);
        const p2 = i32x4.add(p1, step);
        const p3 = i32x4.add(p2, step);
        place = i32x4.add(p3, step);
        if (load<u64>(share) === 0) continue;
        let texels = v128.shuffle<i64>(texelAt(texture, texelStride, p0, lasts, factors), texelAt(texture, texelStride, p1, lasts, factors), 0, 2);
        let texelsB = v128.shuffle<i64>(texelAt(texture, texelStride, p2, lasts, factors), texelAt(texture, texelStride, p3, lasts, factors), 0, 2);
        const opacity = v128.and(painted, v128.shuffle<i16>(texels, texels, 3, 3, 3, 3, 7, 7, 7, 7));
        const opacityB = v128.and(painted, v128.shuffle<i16>(texelsB, texelsB, 3, 3, 3, 3, 7, 7, 7, 7));
        const pixels = v128.load(under);
        const old = i16x8.shl(i8x16.relaxed_swizzle(pixels, v128.load(FIRST_PAIR)), 6);
        const oldB = i16x8.shl(i8x16.relaxed_swizzle(pixels, v128.load(FIRST_PAIR, 16)), 6);
        let colour = old;
        let colourB = oldB;
        // Pixels below an opaque face are not needed.
        if (!still && !i16x8.all_true(i16x8.gt_s(i16x8.min_s(opacity, opacityB), opaque))) {
          colour = v128.shuffle<i64>(pixelAt(image, stride, p0, lasts, factors), pixelAt(image, stride, p1, lasts, factors), 0, 2);
          colourB = v128.shuffle<i64>(pixelAt(image, stride, p2, lasts, factors), pixelAt(image, stride, p3, lasts, factors), 0, 2);
        }
        if (grain > 0) {
          const hashX = i32x4.mul(i32x4.add(i32x4.splat(x + grainX), ramp), v128.load(HASHES));
          const sums = noiseOf(v128.xor(hashX, hashY));
          const noise = i32x4.relaxed_trunc_f32x4_s(
            f32x4.mul(f32x4.convert_i32x4_s(i32x4.sub(sums, meanNoise)), perNoise),
          );
          const narrow = i16x8.narrow_i32x4_s(noise, noise);
          const twice = v128.shuffle<i16>(narrow, narrow, 0, 8, 1, 9, 2, 10, 3, 11);
          texels = i16x8.add(texels, v128.shuffle<i32>(twice, twice, 0, 0, 1, 1));
          texelsB = i16x8.add(texelsB, v128.shuffle<i32>(twice, twice, 2, 2, 3, 3));
        }
        const allowed = v128.load64_zero(share);
        const allowedTwice = v128.shuffle<i16>(allowed, allowed, 0, 8, 1, 9, 2, 10, 3, 11);
        colour = mixed(old, mixed(colour, texels, opacity), v128.shuffle<i32>(allowedTwice, allowedTwice, 0, 0, 1, 1));
        colourB = mixed(oldB, mixed(colourB, texelsB, opacityB), v128.shuffle<i32>(allowedTwice, allowedTwice, 2, 2, 3, 3));
        const levels = i8x16.narrow_i16x8_u(
          i16x8.shr_s(i16x8.add(colour, half), 6),
          i16x8.shr_s(i16x8.add(colourB, half), 6),
        );
        storePixels(at, i8x16.relaxed_swizzle(levels, v128.load(FIRST_PAIR, 32)), to - x);
      }
    }
  }
}

/** Opacity (0.996 of 2^15) from which the pixels below would add less than a level. */
const OPAQUE: i16 = 32636;

// @ts-ignore: decorator
@inline
function fourOf(a: i32, b: i32, c: i32, d: i32): v128 {
  return i32x4.replace_lane(i32x4.replace_lane(i32x4.replace_lane(i32x4.splat(a), 1, b), 2, c), 3, d);
}

// @ts-ignore: decorator
@inline
function fixed(value: f64): i32 {
  return i32(nearest(value * 65536));
}

/** Returns the value of a map at a pixel's centre, for interpolation between centres. */
// @ts-ignore: decorator
@inline
function placed(map: usize, x: i32, y: i32): i32 {
  return fixed(load<f64>(map) * (f64(x) + 0.5) + load<f64>(map, 8) * (f64(y) + 0.5) + load<f64>(map, 16) - 0.5);
}

/** Samples the texture at a place (u, v in the first two values). Returns the first four values. */
// @ts-ignore: decorator
@inline
function texelAt(texture: usize, stride: usize, place: v128, lasts: v128, factors: v128): v128 {
  const held = i32x4.min_s(i32x4.max_s(place, i32x4.splat(0)), lasts);
  const products = i32x4.mul(i32x4.shr_u(held, 16), factors);
  const offset = i32x4.extract_lane(i32x4.add(products, v128.shuffle<i32>(products, products, 1, 0, 3, 2)), 0);
  const shares = i32x4.shr_u(i32x4.shl(held, 16), 17);
  const upper = v128.load(texture + usize(offset));
  const lower = v128.load(texture + usize(offset) + stride);
  const pair = mixed(upper, lower, v128.shuffle<i16>(shares, shares, 2, 2, 2, 2, 2, 2, 2, 2));
  const next = v128.shuffle<i32>(pair, pair, 2, 3, 0, 1);
  return mixed(pair, next, v128.shuffle<i16>(shares, shares, 0, 0, 0, 0, 0, 0, 0, 0));
}

/** Samples the image at a place (x, y in the last two values). Returns the first three values. */
// @ts-ignore: decorator
@inline
function pixelAt(image: usize, stride: i32, place: v128, lasts: v128, factors: v128): v128 {
  const held = i32x4.min_s(i32x4.max_s(place, i32x4.splat(0)), lasts);
  const products = i32x4.mul(i32x4.shr_u(held, 16), factors);
  const offset = i32x4.extract_lane(i32x4.add(products, v128.shuffle<i32>(products, products, 1, 0, 3, 2)), 2);
  const shares = i32x4.shr_u(i32x4.shl(held, 16), 17);
  const upper = i16x8.shl(v128.load8x8_u(image + usize(offset)), 6);
  const lower = i16x8.shl(v128.load8x8_u(image + usize(offset) + usize(stride)), 6);
  const pair = mixed(upper, lower, v128.shuffle<i16>(shares, shares, 6, 6, 6, 6, 6, 6, 6, 6));
  const next = v128.shuffle<i16>(pair, pair, 3, 4, 5, 6, 7, 8, 9, 10);
  return mixed(pair, next, v128.shuffle<i16>(shares, shares, 4, 4, 4, 4, 4, 4, 4, 4));
}

// @ts-ignore: decorator
@inline
function mixed(a: v128, b: v128, share: v128): v128 {
  return i16x8.add(a, i16x8.relaxed_q15mulr_s(i16x8.sub(b, a), share));
}

/** Returns the sum of the four random bytes of each hash. */
// @ts-ignore: decorator
@inline
function noiseOf(hash: v128): v128 {
  let h = i32x4.mul(v128.xor(hash, i32x4.shr_u(hash, 15)), v128.load(HASHES, 16));
  h = i32x4.mul(v128.xor(h, i32x4.shr_u(h, 12)), v128.load(HASHES, 32));
  h = v128.xor(h, i32x4.shr_u(h, 15));
  return i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(h));
}

/** Stores the first `count` of four RGB pixels. */
// @ts-ignore: decorator
@inline
function storePixels(to: usize, pixels: v128, count: i32): void {
  if (count >= 3) {
    v128.store_lane<i64>(to, pixels, 0);
    if (count > 3) v128.store_lane<i32>(to, pixels, 2, 8);
    else v128.store_lane<i8>(to, pixels, 8, 8);
  } else if (count === 2) {
    v128.store_lane<i32>(to, pixels, 0);
    v128.store_lane<i16>(to, pixels, 2, 4);
  } else {
    v128.store_lane<i16>(to, pixels, 0);
    v128.store_lane<i8>(to, pixels, 2, 2);
  }
}

/** Converts 0..1 to 16 bits. A value above 0 never becomes 0. */
function toShares(plane: usize, shares: usize, count: i32): void {
  const full = f32x4.splat(32767);
  for (let i = 0; i < count; i += 8, plane += 32, shares += 16) {
    const low = i32x4.relaxed_trunc_f32x4_s(f32x4.ceil(f32x4.mul(v128.load(plane), full)));
    const high = i32x4.relaxed_trunc_f32x4_s(f32x4.ceil(f32x4.mul(v128.load(plane, 16), full)));
    v128.store(shares, i16x8.narrow_i32x4_s(low, high));
  }
}

/** See packTexture in src/draw-triangles.ts. The count is a multiple of 4. */
export function packTexture(luma: usize, blue: usize, red: usize, opacity: usize, out: usize, count: i32): void {
  const toRed = f32x4.splat(1 / 0.713);
  const toBlue = f32x4.splat(1 / 0.564);
  const least = f32x4.splat(-64);
  const most = f32x4.splat(319);
  const level = f32x4.splat(64);
  const full = f32x4.splat(32767);
  for (let i = 0; i < count; i += 4, luma += 16, blue += 16, red += 16, opacity += 16, out += 32) {
    const y = v128.load(luma);
    const r = f32x4.add(y, f32x4.mul(v128.load(red), toRed));
    const b = f32x4.add(y, f32x4.mul(v128.load(blue), toBlue));
    const g = f32x4.mul(
      f32x4.sub(y, f32x4.add(f32x4.mul(r, f32x4.splat(0.299)), f32x4.mul(b, f32x4.splat(0.114)))),
      f32x4.splat(1 / 0.587),
    );
    const reds = toFixed(r, least, most, level);
    const greens = toFixed(g, least, most, level);
    const blues = toFixed(b, least, most, level);
    const shares = i32x4.relaxed_trunc_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(opacity), full)));
    // r0 r1 r2 r3 b0 b1 b2 b3 and g0 .. a0 .. become r0 g0 b0 a0 ...
    const even = i16x8.narrow_i32x4_s(reds, blues);
    const odd = i16x8.narrow_i32x4_s(greens, shares);
    const low = v128.shuffle<i16>(even, odd, 0, 8, 4, 12, 1, 9, 5, 13);
    const high = v128.shuffle<i16>(even, odd, 2, 10, 6, 14, 3, 11, 7, 15);
    v128.store(out, low);
    v128.store(out, high, 16);
  }
}

// @ts-ignore: decorator
@inline
function toFixed(value: v128, least: v128, most: v128, level: v128): v128 {
  const held = f32x4.pmax(least, f32x4.pmin(most, value));
  return i32x4.relaxed_trunc_f32x4_s(f32x4.nearest(f32x4.mul(held, level)));
}
