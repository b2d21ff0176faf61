import { storeSome } from './store-some';

/**
 * Kernel of src/filter/average-along.ts. `offsets` contains `count` integers, in values and not
 * bytes. Sums have 64 bits.
 */
export function averageAlong(plane: usize, offsets: usize, count: i32, mean: usize, from: i32, to: i32): void {
  const shares = f64x2.splat(1 / f64(count));
  const end = offsets + (usize(count) << 2);
  let out = mean + (usize(from) << 2);
  let middle = plane + (usize(from) << 2);
  for (let left = to - from; left > 0; left -= 4, out += 16, middle += 16) {
    let first = f64x2.splat(0);
    let second = f64x2.splat(0);
    for (let at = offsets; at < end; at += 4) {
      const values = v128.load(middle + (isize(load<i32>(at)) << 2));
      first = f64x2.add(first, f64x2.promote_low_f32x4(values));
      second = f64x2.add(second, f64x2.promote_low_f32x4(v128.shuffle<f32>(values, values, 2, 3, 2, 3)));
    }
    const means = v128.shuffle<f32>(
      f32x4.demote_f64x2_zero(f64x2.mul(first, shares)),
      f32x4.demote_f64x2_zero(f64x2.mul(second, shares)),
      0,
      1,
      4,
      5,
    );
    if (left >= 4) v128.store(out, means);
    else storeSome(out, means, left);
  }
}
