/** Coordinates in steps of 1/65,536: whole numbers are cheaper to step, to hold inside and to split than fractions. */
export const PER_STEP: f32 = 1.0 / 65536.0;

// @ts-ignore: decorator
@inline
export function fixed(value: f64): i32 {
  return i32(min<f64>(max<f64>(value * 65536, -2e9), 2e9));
}
