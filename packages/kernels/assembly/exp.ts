/** Returns e to the power of each value, which must be at most 0, within 2e-7. */
// @ts-ignore: decorator
@inline
export function expOfNegative(value: v128): v128 {
  const held = f32x4.pmax(value, f32x4.splat(-87));
  const power = f32x4.nearest(f32x4.mul(held, f32x4.splat(1.44269504)));
  // ln 2 in two parts, so that nothing is lost if the difference is small.
  const rest = f32x4.sub(
    f32x4.sub(held, f32x4.mul(power, f32x4.splat(0.693359375))),
    f32x4.mul(power, f32x4.splat(-0.000212194440)),
  );
  let sum = f32x4.splat(1 / 720);
  sum = f32x4.add(f32x4.mul(sum, rest), f32x4.splat(1 / 120));
  sum = f32x4.add(f32x4.mul(sum, rest), f32x4.splat(1 / 24));
  sum = f32x4.add(f32x4.mul(sum, rest), f32x4.splat(1 / 6));
  sum = f32x4.add(f32x4.mul(sum, rest), f32x4.splat(0.5));
  sum = f32x4.add(f32x4.mul(sum, rest), f32x4.splat(1));
  sum = f32x4.add(f32x4.mul(sum, rest), f32x4.splat(1));
  const scale = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(power), i32x4.splat(127)), 23);
  return f32x4.mul(sum, scale);
}
