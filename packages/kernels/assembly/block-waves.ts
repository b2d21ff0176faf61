/** Returns the sum of the eight products of two rows of eight values. */
// @ts-ignore: decorator
@inline
function dot(a: usize, b: usize): f32 {
  const products = f32x4.add(
    f32x4.mul(v128.load(a), v128.load(b)),
    f32x4.mul(v128.load(a, 16), v128.load(b, 16)),
  );
  const pairs = f32x4.add(products, v128.shuffle<f32>(products, products, 2, 3, 0, 1));
  return f32x4.extract_lane(pairs, 0) + f32x4.extract_lane(pairs, 1);
}

/**
 * See toBlockWaves in src/plain/block-waves.ts, for blocks of 8 x 8. `waves` has `count` frequencies, `frequencies` has `wanted` pairs.
 * `lines` has room for `8 * count` floats.
 */
export function toBlockWaves(
  grid: usize,
  side: i32,
  waves: usize,
  count: i32,
  frequencies: usize,
  wanted: i32,
  lines: usize,
  out: usize,
): void {
  const pitch = usize(side) << 2;
  for (let top = 0; top < side; top += 8, grid += 8 * pitch) {
    for (let left: usize = 0; left < pitch; left += 32) {
      for (let v = 0; v < count; v++) {
        const wave = waves + (usize(v) << 5);
        let low = f32x4.splat(0);
        let high = f32x4.splat(0);
        for (let y: usize = 0, at = grid + left; y < 32; y += 4, at += pitch) {
          const weight = v128.load32_splat(wave + y);
          low = f32x4.add(low, f32x4.mul(v128.load(at), weight));
          high = f32x4.add(high, f32x4.mul(v128.load(at, 16), weight));
        }
        v128.store(lines + (usize(v) << 5), low);
        v128.store(lines + (usize(v) << 5), high, 16);
      }
      for (let k = 0, at = frequencies; k < wanted; k++, at += 8, out += 4)
        store<f32>(
          out,
          dot(lines + (usize(load<i32>(at, 4)) << 5), waves + (usize(load<i32>(at)) << 5)),
        );
    }
  }
}

// @ts-ignore: decorator
@inline
function within(values: v128, most: v128): v128 {
  return f32x4.max(f32x4.neg(most), f32x4.min(most, values));
}

/** See addBlockWaves in src/plain/block-waves.ts; the other arguments are those of toBlockWaves. */
export function addBlockWaves(
  coefficients: usize,
  side: i32,
  waves: usize,
  count: i32,
  frequencies: usize,
  wanted: i32,
  lines: usize,
  grid: usize,
  room: usize,
): void {
  const pitch = usize(side) << 2;
  for (let top = 0; top < side; top += 8, grid += 8 * pitch, room += 8 * pitch) {
    for (let left: usize = 0; left < pitch; left += 32) {
      memory.fill(lines, 0, usize(count) << 5);
      for (let k = 0, at = frequencies; k < wanted; k++, at += 8, coefficients += 4) {
        const value = v128.load32_splat(coefficients);
        const wave = waves + (usize(load<i32>(at)) << 5);
        const line = lines + (usize(load<i32>(at, 4)) << 5);
        v128.store(line, f32x4.add(v128.load(line), f32x4.mul(value, v128.load(wave))));
        v128.store(line, f32x4.add(v128.load(line, 16), f32x4.mul(value, v128.load(wave, 16))), 16);
      }
      for (let y: usize = 0, to = grid + left, most = room + left; y < 32; y += 4, to += pitch, most += pitch) {
        let low = v128.load(to);
        let high = v128.load(to, 16);
        for (let v = 0; v < count; v++) {
          const weight = v128.load32_splat(waves + (usize(v) << 5) + y);
          low = f32x4.add(low, f32x4.mul(v128.load(lines + (usize(v) << 5)), weight));
          high = f32x4.add(high, f32x4.mul(v128.load(lines + (usize(v) << 5), 16), weight));
        }
        v128.store(to, within(low, v128.load(most)));
        v128.store(to, within(high, v128.load(most, 16)), 16);
      }
    }
  }
}
