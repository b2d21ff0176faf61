/**
 * Rows of the triangle of `beginTriangle`, from `firstRow` up to but not including `endRow`. A row
 * before `middleRow` is between the long side and the upper short side, and a later row is between
 * the long side and the lower short side.
 */
export let firstRow: i32 = 0;
export let middleRow: i32 = 0;
export let endRow: i32 = 0;
/**
 * Start and slope (columns per row) of two sides: the long side in the first lane, and a short side
 * in the second. In `upper...` this is the upper short side, in `lower...` the lower one.
 */
export let upperX: v128 = f64x2.splat(0);
export let upperY: v128 = f64x2.splat(0);
export let upperSlope: v128 = f64x2.splat(0);
export let lowerX: v128 = f64x2.splat(0);
export let lowerY: v128 = f64x2.splat(0);
export let lowerSlope: v128 = f64x2.splat(0);

/**
 * Begins a triangle as in src/triangle-spans.ts. `points` contains pairs of x and y. Two
 * neighbouring triangles compute their common edge in the same way, so each pixel belongs to
 * exactly one triangle.
 */
export function beginTriangle(points: usize, a: i32, b: i32, c: i32, height: i32): void {
  if (isBelow(points, a, b)) {
    const other = a;
    a = b;
    b = other;
  }
  if (isBelow(points, b, c)) {
    const other = b;
    b = c;
    c = other;
  }
  if (isBelow(points, a, b)) {
    const other = a;
    a = b;
    b = other;
  }
  const ax = xOf(points, a);
  const ay = yOf(points, a);
  const bx = xOf(points, b);
  const by = yOf(points, b);
  const cx = xOf(points, c);
  const cy = yOf(points, c);
  const long = slopeOf(ax, ay, cx, cy);
  upperX = f64x2.splat(ax);
  upperY = f64x2.splat(ay);
  upperSlope = f64x2.replace_lane(f64x2.splat(long), 1, slopeOf(ax, ay, bx, by));
  lowerX = f64x2.replace_lane(upperX, 1, bx);
  lowerY = f64x2.replace_lane(upperY, 1, by);
  lowerSlope = f64x2.replace_lane(upperSlope, 1, slopeOf(bx, by, cx, cy));
  firstRow = rowFrom(ay, height);
  middleRow = rowFrom(by, height);
  endRow = rowFrom(cy, height);
}

/**
 * Returns the first of `count` rows (or columns) whose centre is at or after `y`; `count` if there
 * is none.
 */
// @ts-ignore: decorator
@inline
export function rowFrom(y: f64, count: i32): i32 {
  const row = ceil(y - 0.5);
  return row < 0 ? 0 : row > f64(count) ? count : i32(row);
}

/**
 * Returns the columns at which a row begins and ends between two sides that start at `x`, `y`. They
 * are in the first two lanes, in either order, limited to 0..`most`.
 */
// @ts-ignore: decorator
@inline
export function spanOf(row: i32, x: v128, y: v128, slope: v128, most: v128): v128 {
  const centre = f64x2.splat(f64(row) + 0.5);
  const at = f64x2.add(x, f64x2.mul(f64x2.sub(centre, y), slope));
  const first = f64x2.ceil(f64x2.sub(at, f64x2.splat(0.5)));
  return i32x4.relaxed_trunc_f64x2_s_zero(f64x2.pmin(f64x2.pmax(first, f64x2.splat(0)), most));
}

// @ts-ignore: decorator
@inline
export function xOf(points: usize, vertex: i32): f64 {
  return f64(load<f32>(points + (usize(vertex) << 3)));
}

// @ts-ignore: decorator
@inline
export function yOf(points: usize, vertex: i32): f64 {
  return f64(load<f32>(points + (usize(vertex) << 3), 4));
}

/**
 * Returns a value that is positive for one orientation of the triangle and negative for the other.
 */
// @ts-ignore: decorator
@inline
export function turnOf(points: usize, a: i32, b: i32, c: i32): f64 {
  const x = xOf(points, a);
  const y = yOf(points, a);
  return (xOf(points, b) - x) * (yOf(points, c) - y) - (yOf(points, b) - y) * (xOf(points, c) - x);
}

// @ts-ignore: decorator
@inline
function isBelow(points: usize, p: i32, q: i32): bool {
  const yp = yOf(points, p);
  const yq = yOf(points, q);
  return yp > yq || (yp === yq && p > q);
}

// @ts-ignore: decorator
@inline
export function slopeOf(px: f64, py: f64, qx: f64, qy: f64): f64 {
  const rise = qy - py;
  return rise === 0 ? 0 : (qx - px) / rise;
}

let ab: v128 = f64x2.splat(0);
let ac: v128 = f64x2.splat(0);
let perArea: v128 = f64x2.splat(0);
let fromX: v128 = f64x2.splat(0);
let fromY: v128 = f64x2.splat(0);

/**
 * Prepares `findSteps`: sets the triangle, which has three of `points` as corners, and the pixel
 * (`column`, `row`) at which its functions start.
 */
export function beginSteps(points: usize, a: i32, b: i32, c: i32, column: i32, row: i32): void {
  const at = pairOf(points, a);
  ab = f64x2.sub(pairOf(points, b), at);
  ac = f64x2.sub(pairOf(points, c), at);
  const area =
    f64x2.extract_lane(ab, 0) * f64x2.extract_lane(ac, 1) - f64x2.extract_lane(ac, 0) * f64x2.extract_lane(ab, 1);
  perArea = f64x2.splat(Math.abs(area) >= 1e-9 ? 1 / area : 0);
  fromX = f64x2.splat(f64(column) + 0.5 - f64x2.extract_lane(at, 0));
  fromY = f64x2.splat(f64(row) + 0.5 - f64x2.extract_lane(at, 1));
}

/**
 * Results of `findSteps`, in units of 1/65,536, in the first two lanes: the values at the pixel of
 * `beginSteps`, and by how much they increase per column and per row.
 */
export let start: v128 = i32x4.splat(0);
export let across: v128 = i32x4.splat(0);
export let down: v128 = i32x4.splat(0);

/**
 * Finds the two affine functions that have the given pairs of `values` at the triangle's corners. They
 * are constant if the triangle has no area. One half is subtracted, because samples are at the centres
 * of texels and pixels.
 */
export function findSteps(values: usize, a: i32, b: i32, c: i32): void {
  const from = pairOf(values, a);
  const toB = f64x2.sub(pairOf(values, b), from);
  const toC = f64x2.sub(pairOf(values, c), from);
  const perX = f64x2.mul(f64x2.sub(f64x2.mul(toB, second(ac)), f64x2.mul(toC, second(ab))), perArea);
  const perY = f64x2.mul(f64x2.sub(f64x2.mul(toC, first(ab)), f64x2.mul(toB, first(ac))), perArea);
  across = fixed(perX);
  down = fixed(perY);
  const along = f64x2.add(f64x2.mul(perX, fromX), f64x2.mul(perY, fromY));
  start = fixed(f64x2.sub(f64x2.add(from, along), f64x2.splat(0.5)));
}

// @ts-ignore: decorator
@inline
function pairOf(pairs: usize, vertex: i32): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(pairs + (usize(vertex) << 3)));
}

// @ts-ignore: decorator
@inline
function first(pair: v128): v128 {
  return v128.shuffle<i64>(pair, pair, 0, 0);
}

// @ts-ignore: decorator
@inline
function second(pair: v128): v128 {
  return v128.shuffle<i64>(pair, pair, 1, 1);
}

/**
 * Converts coordinates to integers, in units of 1/65,536. Integers are cheaper to add, limit and split
 * than floats.
 */
// @ts-ignore: decorator
@inline
function fixed(pair: v128): v128 {
  const steps = f64x2.mul(pair, f64x2.splat(65536));
  return i32x4.relaxed_trunc_f64x2_s_zero(f64x2.pmin(f64x2.pmax(steps, f64x2.splat(-2e9)), f64x2.splat(2e9)));
}
