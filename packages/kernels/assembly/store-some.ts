/**
 * Stores the first `count` (1 to 3) floats of a vector, so that the end of a row does not overwrite
 * the next row.
 */
// @ts-ignore: decorator
@inline
export function storeSome(to: usize, values: v128, count: i32): void {
  v128.store_lane<f32>(to, values, 0);
  if (count > 1) v128.store_lane<f32>(to, values, 1, 4);
  if (count > 2) v128.store_lane<f32>(to, values, 2, 8);
}
