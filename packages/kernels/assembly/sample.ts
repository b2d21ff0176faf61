/** What `placeFour` found: red, green and blue of four places, 0..255. */
export let red: v128 = i32x4.splat(0);
export let green: v128 = i32x4.splat(0);
export let blue: v128 = i32x4.splat(0);

/** Coordinates beyond this are outside of any image, and still exact. */
const FARTHEST: f64 = 1e6;

/**
 * Bilinear samples of an interleaved RGB image at four places: `x`, `y` and what `alongX`, `alongY` add to them (0 is the
 * centre of the first pixel). What is outside is taken from the border. Reads a byte behind the pixels.
 */
// @ts-ignore: decorator
@inline
export function placeFour(
  image: usize,
  stride: i32,
  lastX: i32,
  lastY: i32,
  x: f64,
  y: f64,
  alongX: v128,
  alongY: v128,
): void {
  // Whole pixels apart, so that 32 bits are enough for the rest.
  const wholeX = floor(min(max(x, -FARTHEST), FARTHEST));
  const wholeY = floor(min(max(y, -FARTHEST), FARTHEST));
  const restX = f32x4.add(f32x4.splat(f32(x - wholeX)), alongX);
  const restY = f32x4.add(f32x4.splat(f32(y - wholeY)), alongY);
  const floorX = f32x4.floor(restX);
  const floorY = f32x4.floor(restY);
  const columns = i32x4.add(i32x4.splat(i32(wholeX)), i32x4.trunc_sat_f32x4_s(floorX));
  const rows = i32x4.add(i32x4.splat(i32(wholeY)), i32x4.trunc_sat_f32x4_s(floorY));
  const zero = i32x4.splat(0);
  const mostX = i32x4.splat(lastX);
  const mostY = i32x4.splat(lastY);
  // Between two columns, and between two rows; else there is no neighbour to mix in.
  const insideX = v128.and(i32x4.ge_s(columns, zero), i32x4.lt_s(columns, mostX));
  const insideY = v128.and(i32x4.ge_s(rows, zero), i32x4.lt_s(rows, mostY));
  const fx = v128.and(f32x4.sub(restX, floorX), insideX);
  const fy = v128.and(f32x4.sub(restY, floorY), insideY);
  const heldX = i32x4.min_s(i32x4.max_s(columns, zero), mostX);
  const heldY = i32x4.min_s(i32x4.max_s(rows, zero), mostY);
  const strides = i32x4.splat(stride);
  const corners = i32x4.add(
    i32x4.splat(i32(image)),
    i32x4.add(i32x4.mul(heldY, strides), i32x4.mul(heldX, i32x4.splat(3))),
  );
  const right = v128.and(insideX, i32x4.splat(3));
  const topLeft = pixelsAt(corners);
  const topRight = pixelsAt(i32x4.add(corners, right));
  const below = i32x4.add(corners, v128.and(insideY, strides));
  const bottomLeft = pixelsAt(below);
  const bottomRight = pixelsAt(i32x4.add(below, right));
  red = bilinear(byteOf(topLeft, 0), byteOf(topRight, 0), byteOf(bottomLeft, 0), byteOf(bottomRight, 0), fx, fy);
  green = bilinear(byteOf(topLeft, 8), byteOf(topRight, 8), byteOf(bottomLeft, 8), byteOf(bottomRight, 8), fx, fy);
  blue = bilinear(
    byteOf(topLeft, 16),
    byteOf(topRight, 16),
    byteOf(bottomLeft, 16),
    byteOf(bottomRight, 16),
    fx,
    fy,
  );
}

/** Four bytes from each of four addresses. */
// @ts-ignore: decorator
@inline
function pixelsAt(addresses: v128): v128 {
  let pixels = v128.load32_zero(usize(i32x4.extract_lane(addresses, 0)));
  pixels = v128.load_lane<i32>(usize(i32x4.extract_lane(addresses, 1)), pixels, 1);
  pixels = v128.load_lane<i32>(usize(i32x4.extract_lane(addresses, 2)), pixels, 2);
  return v128.load_lane<i32>(usize(i32x4.extract_lane(addresses, 3)), pixels, 3);
}

// @ts-ignore: decorator
@inline
function byteOf(pixels: v128, bit: i32): v128 {
  const shifted = bit === 0 ? pixels : i32x4.shr_u(pixels, bit);
  return f32x4.convert_i32x4_s(v128.and(shifted, i32x4.splat(255)));
}

// @ts-ignore: decorator
@inline
function bilinear(topLeft: v128, topRight: v128, bottomLeft: v128, bottomRight: v128, fx: v128, fy: v128): v128 {
  const upper = f32x4.add(topLeft, f32x4.mul(f32x4.sub(topRight, topLeft), fx));
  const lower = f32x4.add(bottomLeft, f32x4.mul(f32x4.sub(bottomRight, bottomLeft), fx));
  return f32x4.add(upper, f32x4.mul(f32x4.sub(lower, upper), fy));
}
