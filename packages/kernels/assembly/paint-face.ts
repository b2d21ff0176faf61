import { PER_STEP } from './fixed';
import {
  across,
  beginSteps,
  beginTriangle,
  down,
  endRow,
  findSteps,
  firstRow,
  lowerSlope,
  lowerX,
  lowerY,
  middleRow,
  spanOf,
  start,
  upperSlope,
  upperX,
  upperY,
  xOf,
} from './triangle';

const STILL: i32 = 1;
const UNPAINTED: i32 = 2;

/**
 * See src/paint-face.ts. `first` and `second` are planes to paint over, their rows a stride apart; `firstBefore` and `secondBefore`
 * are room for `width * height` bytes each. Without `second`, luma is painted, with it both chroma planes. `noiseSeed` moves the grain sideways.
 */
export function paintFace(
  points: usize,
  texelAt: usize,
  sourceAt: usize,
  triangles: usize,
  flags: usize,
  count: i32,
  width: i32,
  height: i32,
  allowance: usize,
  texels: usize,
  side: i32,
  opaque: f32,
  grain: f32,
  noiseSeed: i32,
  first: usize,
  firstStride: usize,
  firstBefore: usize,
  second: usize,
  secondStride: usize,
  secondBefore: usize,
): void {
  keepRows(first, firstStride, firstBefore, width, height);
  if (second !== 0) keepRows(second, secondStride, secondBefore, width, height);
  // In steps of 1/65,536, just short of the last: then there always is a neighbour.
  const mostTexel = i32x4.splat(((side - 1) << 16) - 1);
  const most = f64x2.splat(f64(width));
  const mostX = i32x4.splat(max(0, ((width - 1) << 16) - 1));
  const mostY = i32x4.splat(max(0, ((height - 1) << 16) - 1));
  const sides = i32x4.splat(side);
  const widths = i32x4.splat(width);
  const opaques = f32x4.splat(opaque);
  const grains = f32x4.splat(grain / 147.8);
  const texelRow = usize(side) << 3;
  const zero = f32x4.splat(0);
  for (let t = 0; t < count; t++, triangles += 6) {
    const flag = i32(load<u8>(flags + t));
    const still = (flag & STILL) !== 0;
    const painted = (flag & UNPAINTED) === 0;
    if (still && !painted) continue;
    const a = load<u16>(triangles);
    const b = load<u16>(triangles, 2);
    const c = load<u16>(triangles, 4);
    beginTriangle(points, a, b, c, height);
    // The pixel where all four are found by the planes; from there they are stepped.
    const origin = i32(xOf(points, a));
    beginSteps(points, a, b, c, origin, firstRow);
    findSteps(texelAt, a, b, c);
    const uStep = i32x4.extract_lane(across, 0);
    const vStep = i32x4.extract_lane(across, 1);
    const uDown = i32x4.extract_lane(down, 0);
    const vDown = i32x4.extract_lane(down, 1);
    let uRow = i32x4.extract_lane(start, 0);
    let vRow = i32x4.extract_lane(start, 1);
    findSteps(sourceAt, a, b, c);
    const xStep = i32x4.extract_lane(across, 0);
    const yStep = i32x4.extract_lane(across, 1);
    const xDown = i32x4.extract_lane(down, 0);
    const yDown = i32x4.extract_lane(down, 1);
    let xRow = i32x4.extract_lane(start, 0);
    let yRow = i32x4.extract_lane(start, 1);
    const uRamp = rampOf(uStep);
    const vRamp = rampOf(vStep);
    const xRamp = rampOf(xStep);
    const yRamp = rampOf(yStep);
    const middle = max(firstRow, middleRow);
    const end = endRow;
    let sideX = upperX;
    let sideY = upperY;
    let slope = upperSlope;
    for (let row = firstRow; row < end; row++, uRow += uDown, vRow += vDown, xRow += xDown, yRow += yDown) {
      if (row === middle) {
        sideX = lowerX;
        sideY = lowerY;
        slope = lowerSlope;
      }
      const span = spanOf(row, sideX, sideY, slope, most);
      const one = i32x4.extract_lane(span, 0);
      const other = i32x4.extract_lane(span, 1);
      const stop = max(one, other);
      for (let column = min(one, other); column < stop; column += 4) {
        const cell = usize(row * width + column);
        const allowed = v128.load(allowance + (cell << 2));
        if (!v128.any_true(f32x4.gt(allowed, zero))) continue;
        const along = column - origin;
        let opacity = zero;
        let colour = zero;
        let otherColour = zero;
        if (painted) {
          const u = held(i32x4.add(i32x4.splat(uRow + along * uStep), uRamp), mostTexel);
          const v = held(i32x4.add(i32x4.splat(vRow + along * vStep), vRamp), mostTexel);
          const fu = restOf(u);
          const fv = restOf(v);
          const at = i32x4.shl(i32x4.add(i32x4.mul(i32x4.shr_s(v, 16), sides), i32x4.shr_s(u, 16)), 3);
          const low = i64x2.extract_lane(at, 0);
          const high = i64x2.extract_lane(at, 1);
          samplePairs(texels, texelRow, low, high, fu, fv);
          opacity = odd;
          colour = even;
          if (second !== 0) {
            samplePairs(texels + usize(side) * texelRow, texelRow, low, high, fu, fv);
            colour = even;
            otherColour = odd;
          } else if (grain > 0) {
            colour = f32x4.add(colour, f32x4.mul(grains, grainAt(column + noiseSeed, row)));
          }
        }
        // Where the new face covers all, what lies under it need not be found.
        const moved = still ? zero : f32x4.le(opacity, opaques);
        const isMoved = v128.any_true(moved);
        let low: i64 = 0;
        let high: i64 = 0;
        let fx = zero;
        let fy = zero;
        if (isMoved) {
          const x = held(i32x4.add(i32x4.splat(xRow + along * xStep), xRamp), mostX);
          const y = held(i32x4.add(i32x4.splat(yRow + along * yStep), yRamp), mostY);
          fx = restOf(x);
          fy = restOf(y);
          const at = i32x4.add(i32x4.mul(i32x4.shr_s(y, 16), widths), i32x4.shr_s(x, 16));
          low = i64x2.extract_lane(at, 0);
          high = i64x2.extract_lane(at, 1);
        }
        const to = first + usize(row) * firstStride + usize(column);
        const own = bytesAt(firstBefore + cell);
        let value = own;
        if (isMoved)
          value = v128.bitselect(picture(firstBefore, usize(width), low, high, fx, fy), own, moved);
        paint(to, stop - column, own, value, opacity, colour, allowed);
        if (second !== 0) {
          const otherTo = second + usize(row) * secondStride + usize(column);
          const other = bytesAt(secondBefore + cell);
          value = other;
          if (isMoved)
            value = v128.bitselect(picture(secondBefore, usize(width), low, high, fx, fy), other, moved);
          paint(otherTo, stop - column, other, value, opacity, otherColour, allowed);
        }
      }
    }
  }
}

function keepRows(from: usize, stride: usize, to: usize, width: i32, height: i32): void {
  for (let row = 0; row < height; row++, from += stride, to += usize(width)) memory.copy(to, from, usize(width));
}

/** What a step adds to a value in four neighbouring columns. */
// @ts-ignore: decorator
@inline
function rampOf(step: i32): v128 {
  return i32x4.mul(i32x4.splat(step), i32x4(0, 1, 2, 3));
}

// @ts-ignore: decorator
@inline
function held(value: v128, most: v128): v128 {
  return i32x4.min_s(i32x4.max_s(value, i32x4.splat(0)), most);
}

/** What is left of a whole number of pixels, 0..1. */
// @ts-ignore: decorator
@inline
function restOf(value: v128): v128 {
  return f32x4.mul(f32x4.convert_i32x4_s(i32x4.shr_u(i32x4.shl(value, 16), 16)), f32x4.splat(PER_STEP));
}

/** What `samplePairs` found. */
let even: v128 = f32x4.splat(0);
let odd: v128 = f32x4.splat(0);

/** Between pairs of values at four places, of which `low` and `high` hold two each, in bytes from `pairs` on. */
// @ts-ignore: decorator
@inline
function samplePairs(pairs: usize, row: usize, low: i64, high: i64, fu: v128, fv: v128): void {
  const p = betweenRows(pairs + usize(u32(low)), row, v128.shuffle<i32>(fv, fv, 0, 0, 0, 0));
  const q = betweenRows(pairs + usize(low >> 32), row, v128.shuffle<i32>(fv, fv, 1, 1, 1, 1));
  const r = betweenRows(pairs + usize(u32(high)), row, v128.shuffle<i32>(fv, fv, 2, 2, 2, 2));
  const s = betweenRows(pairs + usize(high >> 32), row, v128.shuffle<i32>(fv, fv, 3, 3, 3, 3));
  const evens = v128.shuffle<i32>(p, q, 0, 4, 2, 6);
  const otherEvens = v128.shuffle<i32>(r, s, 0, 4, 2, 6);
  const odds = v128.shuffle<i32>(p, q, 1, 5, 3, 7);
  const otherOdds = v128.shuffle<i32>(r, s, 1, 5, 3, 7);
  even = mixed(
    v128.shuffle<i32>(evens, otherEvens, 0, 1, 4, 5),
    v128.shuffle<i32>(evens, otherEvens, 2, 3, 6, 7),
    fu,
  );
  odd = mixed(
    v128.shuffle<i32>(odds, otherOdds, 0, 1, 4, 5),
    v128.shuffle<i32>(odds, otherOdds, 2, 3, 6, 7),
    fu,
  );
}

/** A pair and the one beside it. */
// @ts-ignore: decorator
@inline
function betweenRows(at: usize, row: usize, share: v128): v128 {
  return mixed(v128.load(at), v128.load(at + row), share);
}

// @ts-ignore: decorator
@inline
function mixed(from: v128, to: v128, share: v128): v128 {
  return f32x4.add(from, f32x4.mul(share, f32x4.sub(to, from)));
}

/** Four neighbouring bytes. */
// @ts-ignore: decorator
@inline
function bytesAt(at: usize): v128 {
  return f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(at))));
}

/** The picture between pixels at four places, of which `low` and `high` hold two each. */
// @ts-ignore: decorator
@inline
function picture(before: usize, width: usize, low: i64, high: i64, fx: v128, fy: v128): v128 {
  const a = before + usize(u32(low));
  const b = before + usize(low >> 32);
  const c = before + usize(u32(high));
  const d = before + usize(high >> 32);
  let top = i32x4.splat(i32(load<u16>(a)));
  top = i32x4.replace_lane(top, 1, i32(load<u16>(b)));
  top = i32x4.replace_lane(top, 2, i32(load<u16>(c)));
  top = i32x4.replace_lane(top, 3, i32(load<u16>(d)));
  let bottom = i32x4.splat(i32(load<u16>(a + width)));
  bottom = i32x4.replace_lane(bottom, 1, i32(load<u16>(b + width)));
  bottom = i32x4.replace_lane(bottom, 2, i32(load<u16>(c + width)));
  bottom = i32x4.replace_lane(bottom, 3, i32(load<u16>(d + width)));
  return mixed(between(top, fx), between(bottom, fx), fy);
}

/** Of four pairs of bytes. */
// @ts-ignore: decorator
@inline
function between(pairs: v128, fx: v128): v128 {
  const one = f32x4.convert_i32x4_s(i32x4.shr_u(i32x4.shl(pairs, 24), 24));
  return mixed(one, f32x4.convert_i32x4_s(i32x4.shr_u(pairs, 8)), fx);
}

/** Writes `count` samples, four at most. */
// @ts-ignore: decorator
@inline
function paint(to: usize, count: i32, own: v128, under: v128, opacity: v128, colour: v128, allowed: v128): void {
  const sum = mixed(own, mixed(under, colour, opacity), allowed);
  const whole = i32x4.relaxed_trunc_f32x4_s(f32x4.nearest(sum));
  const words = i16x8.narrow_i32x4_s(whole, whole);
  const samples = u32(i32x4.extract_lane(i8x16.narrow_i16x8_u(words, words), 0));
  if (count >= 4) {
    store<u32>(to, samples);
  } else {
    const beyond: u32 = u32(-1) << (u32(count) << 3);
    store<u32>(to, (samples & ~beyond) | (load<u32>(to) & beyond));
  }
}

/** Of four neighbouring columns, in 1/147.8; see src/grain.ts. */
// @ts-ignore: decorator
@inline
function grainAt(x: i32, y: i32): v128 {
  const columns = i32x4.add(i32x4.splat(x), i32x4(0, 1, 2, 3));
  let h = v128.xor(i32x4.mul(columns, i32x4.splat(0x9e3779b1)), i32x4.splat(y * 0x85ebca6b));
  h = i32x4.mul(v128.xor(h, i32x4.shr_u(h, 15)), i32x4.splat(0x2c1b3c6d));
  h = i32x4.mul(v128.xor(h, i32x4.shr_u(h, 12)), i32x4.splat(0x297a2d39));
  h = v128.xor(h, i32x4.shr_u(h, 15));
  const sum = i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(h));
  return f32x4.convert_i32x4_s(i32x4.sub(sum, i32x4.splat(510)));
}
