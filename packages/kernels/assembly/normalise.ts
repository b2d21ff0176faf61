import { boxBlur } from './box-blur';
import { addPairs } from './halve';

/** Multiplies the plane by the weight, in place, and returns the sum of the result. */
function weigh(plane: usize, weight: usize, count: i32): f64 {
  const end = plane + (usize(count) << 2);
  let sums = f64x2.splat(0);
  for (; plane + 16 <= end; plane += 16, weight += 16) {
    const value = f32x4.mul(v128.load(plane), v128.load(weight));
    v128.store(plane, value);
    const pairs = f32x4.add(value, v128.shuffle<f32>(value, value, 2, 3, 0, 1));
    sums = f64x2.add(sums, f64x2.promote_low_f32x4(pairs));
  }
  let sum = f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1);
  for (; plane < end; plane += 4, weight += 4) {
    const value = load<f32>(plane) * load<f32>(weight);
    store<f32>(plane, value);
    sum += value;
  }
  return sum;
}

export function sumOf(plane: usize, count: i32): f64 {
  const end = plane + (usize(count) << 2);
  let sums = f64x2.splat(0);
  for (; plane + 16 <= end; plane += 16) {
    const value = v128.load(plane);
    const pairs = f32x4.add(value, v128.shuffle<f32>(value, value, 2, 3, 0, 1));
    sums = f64x2.add(sums, f64x2.promote_low_f32x4(pairs));
  }
  let sum = f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1);
  for (; plane < end; plane += 4) sum += load<f32>(plane);
  return sum;
}

/**
 * Kernel of src/filter/normalised-blur.ts, for one plane. `spread` is the blurred `weight`, and
 * `total` the sum of `weight` before the blur.
 */
export function normalisedBlur(
  plane: usize,
  weight: usize,
  spread: usize,
  scratch: usize,
  lines: usize,
  width: i32,
  height: i32,
  radius: i32,
  total: f64,
  floor: f32,
): void {
  const count = width * height;
  const sum = weigh(plane, weight, count);
  const mean: f32 = total > 0 ? f32(sum / total) : 0;
  boxBlur(plane, scratch, lines, width, height, radius, 3);
  const added = f32x4.splat(mean * floor);
  const floors = f32x4.splat(floor);
  const end = plane + (usize(count) << 2);
  for (; plane + 16 <= end; plane += 16, spread += 16)
    v128.store(
      plane,
      f32x4.div(f32x4.add(v128.load(plane), added), f32x4.add(v128.load(spread), floors)),
    );
  for (; plane < end; plane += 4, spread += 4)
    store<f32>(plane, (load<f32>(plane) + mean * floor) / (load<f32>(spread) + floor));
}

/**
 * Writes the sum of each block of 2 x 2 weights to `sums`, and this sum, limited to 1, to `coarse`.
 */
export function pullWeight(weight: usize, sums: usize, coarse: usize, side: i32): void {
  const half = side >> 1;
  const pitch = usize(side) << 2;
  const one = f32x4.splat(1);
  for (let y = 0; y < half; y++, weight += pitch) {
    let x = 0;
    for (; x + 4 <= half; x += 4, weight += 32, sums += 16, coarse += 16) {
      const lower = weight + pitch;
      const left = f32x4.add(v128.load(weight), v128.load(lower));
      const sum = addPairs(left, f32x4.add(v128.load(weight, 16), v128.load(lower, 16)));
      v128.store(sums, sum);
      v128.store(coarse, f32x4.pmin(sum, one));
    }
    for (; x < half; x++, weight += 8, sums += 4, coarse += 4) {
      const lower = weight + pitch;
      const sum = load<f32>(weight) + load<f32>(lower) + (load<f32>(weight, 4) + load<f32>(lower, 4));
      store<f32>(sums, sum);
      store<f32>(coarse, min(sum, 1));
    }
  }
}

/** Writes the weighted mean of each block of 2 x 2 values; 0 if the sum of the weights is 0. */
export function pull(plane: usize, weight: usize, sums: usize, out: usize, side: i32): void {
  const half = side >> 1;
  const pitch = usize(side) << 2;
  const zero = f32x4.splat(0);
  for (let y = 0; y < half; y++, plane += pitch, weight += pitch) {
    let x = 0;
    for (; x + 4 <= half; x += 4, plane += 32, weight += 32, sums += 16, out += 16) {
      const left = f32x4.add(weighed(plane, weight), weighed(plane + pitch, weight + pitch));
      const right = f32x4.add(weighed(plane + 16, weight + 16), weighed(plane + pitch + 16, weight + pitch + 16));
      const sum = v128.load(sums);
      v128.store(out, v128.and(f32x4.div(addPairs(left, right), sum), f32x4.gt(sum, zero)));
    }
    for (; x < half; x++, plane += 8, weight += 8, sums += 4, out += 4) {
      const sum = load<f32>(sums);
      const upper = load<f32>(plane) * load<f32>(weight) + load<f32>(plane, 4) * load<f32>(weight, 4);
      const below = plane + pitch;
      const under = weight + pitch;
      const lower = load<f32>(below) * load<f32>(under) + load<f32>(below, 4) * load<f32>(under, 4);
      store<f32>(out, sum > 0 ? (upper + lower) / sum : 0);
    }
  }
}

// @ts-ignore: decorator
@inline
function weighed(plane: usize, weight: usize): v128 {
  return f32x4.mul(v128.load(plane), v128.load(weight));
}

/** Mixes `smooth` into `plane`, in place: fully at weight 0, and not at all at weight 1. */
export function push(plane: usize, weight: usize, smooth: usize, count: i32): void {
  const end = plane + (usize(count) << 2);
  for (; plane + 16 <= end; plane += 16, weight += 16, smooth += 16) {
    const base = v128.load(smooth);
    v128.store(plane, f32x4.add(base, f32x4.mul(f32x4.sub(v128.load(plane), base), v128.load(weight))));
  }
  for (; plane < end; plane += 4, weight += 4, smooth += 4) {
    const base = load<f32>(smooth);
    store<f32>(plane, base + (load<f32>(plane) - base) * load<f32>(weight));
  }
}
