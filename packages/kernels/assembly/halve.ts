/** Halves a plane of even width and height: each value of `out` is the mean of 2 x 2. */
export function halvePlane(plane: usize, out: usize, width: i32, height: i32): void {
  const half = width >> 1;
  const pitch = usize(width) << 2;
  const quarter = f32x4.splat(0.25);
  for (let y = 0; y < height; y += 2, plane += 2 * pitch) {
    let upper = plane;
    let lower = plane + pitch;
    let x = 0;
    for (; x + 4 <= half; x += 4, upper += 32, lower += 32, out += 16) {
      const left = f32x4.add(v128.load(upper), v128.load(lower));
      const right = f32x4.add(v128.load(upper, 16), v128.load(lower, 16));
      v128.store(out, f32x4.mul(quarter, addPairs(left, right)));
    }
    for (; x < half; x++, upper += 8, lower += 8, out += 4)
      store<f32>(
        out,
        (load<f32>(upper) + load<f32>(lower) + (load<f32>(upper, 4) + load<f32>(lower, 4))) * 0.25,
      );
  }
}

/** Returns the sums of neighbours: a0 + a1, a2 + a3, b0 + b1, b2 + b3. */
// @ts-ignore: decorator
@inline
export function addPairs(a: v128, b: v128): v128 {
  return f32x4.add(v128.shuffle<f32>(a, b, 0, 2, 4, 6), v128.shuffle<f32>(a, b, 1, 3, 5, 7));
}

/**
 * Halves an interleaved RGB image of 8 bits: each pixel of `out` (floor(width / 2) x rows) is the
 * rounded mean of 2 x 2 pixels. Reads up to 4 bytes after the last pixel.
 */
export function halveImage(image: usize, out: usize, width: i32, rows: i32): void {
  const stride = usize(width) * 3;
  const two = i16x8.splat(2);
  for (let y = 0; y < rows; y++, image += 2 * stride) {
    let upper = image;
    let lower = image + stride;
    let left = width >> 1;
    // Computes two pixels at a time. The two additional bytes that it stores are overwritten by the
    // third pixel.
    for (; left > 2; left -= 2, upper += 12, lower += 12, out += 6) {
      const sums = i16x8.add(addPixelPairs(v128.load(upper)), addPixelPairs(v128.load(lower)));
      const means = i16x8.shr_u(i16x8.add(sums, two), 2);
      v128.store_lane<i64>(out, i8x16.narrow_i16x8_u(means, means), 0);
    }
    for (let bytes = left * 3; bytes > 0; out++) {
      const sum =
        i32(load<u8>(upper)) + i32(load<u8>(upper, 3)) + i32(load<u8>(lower)) + i32(load<u8>(lower, 3));
      store<u8>(out, (sum + 2) >> 2);
      bytes--;
      const step: usize = bytes % 3 === 0 ? 4 : 1;
      upper += step;
      lower += step;
    }
  }
}

/**
 * Returns the sums of the first two and of the last two of four RGB pixels, six values of 16 bits.
 */
// @ts-ignore: decorator
@inline
function addPixelPairs(pixels: v128): v128 {
  return i16x8.extadd_pairwise_i8x16_u(
    v128.shuffle<i8>(pixels, pixels, 0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11, 12, 15, 13, 14),
  );
}
