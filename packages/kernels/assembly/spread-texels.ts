import { blue, lumaOf, red, sampleFour, within } from './sample';

/**
 * Kernel of src/face/spread-texels.ts, for `count` groups of four texels. Each group has 12 vertex
 * indices in `corners` and 12 floats in `shares`: three of each for each texel.
 */
export function spreadTexels(
  count: i32,
  first: usize,
  corners: usize,
  shares: usize,
  vertices: usize,
  image: usize,
  width: i32,
  height: i32,
  lumaOut: usize,
  blueOut: usize,
  redOut: usize,
  valueOut: usize,
  redShare: f32,
  greenShare: f32,
  blueShare: f32,
  blueScale: f32,
  redScale: f32,
): void {
  const stride = 3 * width;
  const strides = i32x4.splat(stride);
  const mostX = i32x4.splat(width - 1);
  const mostY = i32x4.splat(height - 1);
  const half = f32x4.splat(0.5);
  const none = i32x4.splat(0);
  for (let k = 0; k < count; k++, first += 4, corners += 24, shares += 48) {
    const a = placeOf(corners, shares, vertices);
    const b = placeOf(corners + 6, shares + 12, vertices);
    const c = placeOf(corners + 12, shares + 24, vertices);
    const d = placeOf(corners + 18, shares + 36, vertices);
    const xyAb = v128.shuffle<i32>(a, b, 0, 4, 1, 5);
    const xyCd = v128.shuffle<i32>(c, d, 0, 4, 1, 5);
    const restAb = v128.shuffle<i32>(a, b, 2, 6, 3, 7);
    const restCd = v128.shuffle<i32>(c, d, 2, 6, 3, 7);
    const x = f32x4.sub(v128.shuffle<i32>(xyAb, xyCd, 0, 1, 4, 5), half);
    const y = f32x4.sub(v128.shuffle<i32>(xyAb, xyCd, 2, 3, 6, 7), half);
    const value = v128.shuffle<i32>(restAb, restCd, 0, 1, 4, 5);
    const isCovered = f32x4.gt(v128.shuffle<i32>(restAb, restCd, 2, 3, 6, 7), half);
    sampleFour(image, usize(stride), strides, mostX, mostY, none, none, x, y, true);
    const luma = lumaOf(f32x4.splat(redShare), f32x4.splat(greenShare), f32x4.splat(blueShare));
    const blues = f32x4.mul(f32x4.sub(blue, luma), f32x4.splat(blueScale));
    const reds = f32x4.mul(f32x4.sub(red, luma), f32x4.splat(redScale));
    const at = usize(load<u32>(first)) << 2;
    v128.store(lumaOut + at, v128.and(luma, isCovered));
    v128.store(blueOut + at, v128.and(blues, isCovered));
    v128.store(redOut + at, v128.and(reds, isCovered));
    v128.store(valueOut + at, v128.and(f32x4.pmax(none, value), v128.and(within, isCovered)));
  }
}

/**
 * Interpolates x, y and value of a texel from its three vertices. The fourth lane is 1, or 0 if no
 * triangle covers the texel.
 */
// @ts-ignore: decorator
@inline
function placeOf(corners: usize, shares: usize, vertices: usize): v128 {
  const a = v128.load(vertices + (usize(load<u16>(corners)) << 4));
  const b = v128.load(vertices + (usize(load<u16>(corners, 2)) << 4));
  const c = v128.load(vertices + (usize(load<u16>(corners, 4)) << 4));
  return f32x4.add(
    f32x4.mul(a, v128.load32_splat(shares)),
    f32x4.add(f32x4.mul(b, v128.load32_splat(shares, 4)), f32x4.mul(c, v128.load32_splat(shares, 8))),
  );
}
