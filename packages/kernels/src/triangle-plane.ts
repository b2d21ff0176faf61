/**
 * Writes to `out`, from `at` on, the affine function `m[0] x + m[1] y + m[2]` that has the values
 * of one axis at a triangle's corners. For a triangle without area, writes the constant of corner
 * a.
 *
 * Corners a, b, c are indices of `points`, which holds x, y, and of `values`, which holds records
 * of `stride` numbers.
 */
export function planeOfTriangle(
  points: Float32Array,
  a: number,
  b: number,
  c: number,
  values: Float32Array,
  stride: number,
  axis: number,
  out: Float64Array,
  at: number,
): void {
  const x = points[2 * a]!;
  const y = points[2 * a + 1]!;
  const bx = points[2 * b]! - x;
  const by = points[2 * b + 1]! - y;
  const cx = points[2 * c]! - x;
  const cy = points[2 * c + 1]! - y;
  const fa = values[stride * a + axis]!;
  const fb = values[stride * b + axis]!;
  const fc = values[stride * c + axis]!;
  const area = bx * cy - cx * by;
  if (Math.abs(area) < 1e-9) {
    out[at] = 0;
    out[at + 1] = 0;
    out[at + 2] = fa;
    return;
  }
  const perX = ((fb - fa) * cy - (fc - fa) * by) / area;
  const perY = ((fc - fa) * bx - (fb - fa) * cx) / area;
  out[at] = perX;
  out[at + 1] = perY;
  out[at + 2] = fa - perX * x - perY * y;
}
