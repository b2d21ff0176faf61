import { fixed } from './fixed';

/** Rows that the triangle of `beginTriangle` touches: from `firstRow` to before `endRow`. */
export let firstRow: i32 = 0;
export let endRow: i32 = 0;
/** Columns of the row that `findSpan` was asked about: from `left` to before `right`. */
export let left: i32 = 0;
export let right: i32 = 0;

let ax: f64 = 0;
let ay: f64 = 0;
let bx: f64 = 0;
let by: f64 = 0;
let longSlope: f64 = 0;
let upperSlope: f64 = 0;
let lowerSlope: f64 = 0;

/**
 * See src/triangle-spans.ts: neighbours compute the edge they share by the same arithmetic, so every pixel is one triangle's.
 * `points` are x, y pairs.
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
  ax = xOf(points, a);
  ay = yOf(points, a);
  bx = xOf(points, b);
  by = yOf(points, b);
  const cx = xOf(points, c);
  const cy = yOf(points, c);
  longSlope = slopeOf(ax, ay, cx, cy);
  upperSlope = slopeOf(ax, ay, bx, by);
  lowerSlope = slopeOf(bx, by, cx, cy);
  firstRow = i32(max<f64>(0, ceil(ay - 0.5)));
  endRow = i32(min<f64>(f64(height), ceil(cy - 0.5)));
}

export function findSpan(row: i32, width: i32): void {
  const centre = f64(row) + 0.5;
  const long = ax + (centre - ay) * longSlope;
  const short = centre < by ? ax + (centre - ay) * upperSlope : bx + (centre - by) * lowerSlope;
  const isLeft = long < short;
  left = min(max(i32(ceil((isLeft ? long : short) - 0.5)), 0), width);
  right = min(max(i32(ceil((isLeft ? short : long) - 0.5)), 0), width);
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

/** Positive and negative for the two ways round. */
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
function slopeOf(px: f64, py: f64, qx: f64, qy: f64): f64 {
  const rise = qy - py;
  return rise === 0 ? 0 : (qx - px) / rise;
}

let abX: f64 = 0;
let abY: f64 = 0;
let acX: f64 = 0;
let acY: f64 = 0;
let area: f64 = 0;
let fromX: f64 = 0;
let fromY: f64 = 0;

/** Before `findSteps`: the triangle of three of `points`, and the pixel `column`, `row` that its functions are stepped from. */
export function beginSteps(points: usize, a: i32, b: i32, c: i32, column: i32, row: i32): void {
  const x = xOf(points, a);
  const y = yOf(points, a);
  abX = xOf(points, b) - x;
  abY = yOf(points, b) - y;
  acX = xOf(points, c) - x;
  acY = yOf(points, c) - y;
  area = abX * acY - acX * abY;
  fromX = f64(column) + 0.5 - x;
  fromY = f64(row) + 0.5 - y;
}

/** What `findSteps` found, in steps of 1/65,536: the value at its pixel, and how much more it is one column and one row on. */
export let start: i32 = 0;
export let across: i32 = 0;
export let down: i32 = 0;

/**
 * The affine function of the plane that takes the values fa, fb, fc at the triangle's points (constant without area), half less
 * (samples lie at the centres of texels and pixels).
 */
export function findSteps(fa: f64, fb: f64, fc: f64): void {
  let perX: f64 = 0;
  let perY: f64 = 0;
  if (Math.abs(area) >= 1e-9) {
    const toB = fb - fa;
    const toC = fc - fa;
    const per = f64x2.div(
      f64x2.replace_lane(f64x2.splat(toB * acY - toC * abY), 1, toC * abX - toB * acX),
      f64x2.splat(area),
    );
    perX = f64x2.extract_lane(per, 0);
    perY = f64x2.extract_lane(per, 1);
  }
  across = fixed(perX);
  down = fixed(perY);
  start = fixed(fa + perX * fromX + perY * fromY - 0.5);
}
