/**
 * The affine function that takes the values fa, fb, fc at a triangle's corners: `out[0] x + out[1] y + out[2]`.
 * Corners a, b, c are numbers of `points`, which holds x, y first in records of `stride` numbers. A triangle without
 * area gets the constant fa.
 */
export function planeOfTriangle(
  points: ArrayLike<number>,
  stride: number,
  a: number,
  b: number,
  c: number,
  fa: number,
  fb: number,
  fc: number,
  out: Float64Array,
): void {
  const x = points[stride * a]!;
  const y = points[stride * a + 1]!;
  const bx = points[stride * b]! - x;
  const by = points[stride * b + 1]! - y;
  const cx = points[stride * c]! - x;
  const cy = points[stride * c + 1]! - y;
  const area = bx * cy - cx * by;
  if (Math.abs(area) < 1e-9) {
    out[0] = 0;
    out[1] = 0;
    out[2] = fa;
    return;
  }
  const perX = ((fb - fa) * cy - (fc - fa) * by) / area;
  const perY = ((fc - fa) * bx - (fb - fa) * cx) / area;
  out[0] = perX;
  out[1] = perY;
  out[2] = fa - perX * x - perY * y;
}
