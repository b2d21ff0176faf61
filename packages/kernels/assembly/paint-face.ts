import { PER_STEP } from './fixed';
import {
  across,
  beginTriangle,
  down,
  endRow,
  findSpan,
  findSteps,
  firstRow,
  left,
  right,
  start,
  xOf,
  yOf,
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
  const mostTexel = ((side - 1) << 16) - 1;
  const mostX = max(0, ((width - 1) << 16) - 1);
  const mostY = max(0, ((height - 1) << 16) - 1);
  const texelRow = usize(side) << 4;
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
    findSteps(points, a, b, c, xOf(texelAt, a), xOf(texelAt, b), xOf(texelAt, c), origin, firstRow);
    const uStep = across;
    const uDown = down;
    let uRow = start;
    findSteps(points, a, b, c, yOf(texelAt, a), yOf(texelAt, b), yOf(texelAt, c), origin, firstRow);
    const vStep = across;
    const vDown = down;
    let vRow = start;
    findSteps(points, a, b, c, xOf(sourceAt, a), xOf(sourceAt, b), xOf(sourceAt, c), origin, firstRow);
    const xStep = across;
    const xDown = down;
    let xRow = start;
    findSteps(points, a, b, c, yOf(sourceAt, a), yOf(sourceAt, b), yOf(sourceAt, c), origin, firstRow);
    const yStep = across;
    const yDown = down;
    let yRow = start;
    const end = endRow;
    for (let row = firstRow; row < end; row++, uRow += uDown, vRow += vDown, xRow += xDown, yRow += yDown) {
      findSpan(row, width);
      const along = left - origin;
      let u = uRow + along * uStep;
      let v = vRow + along * vStep;
      let x = xRow + along * xStep;
      let y = yRow + along * yStep;
      const firstAt = first + usize(row) * firstStride;
      const secondAt = second + usize(row) * secondStride;
      let cell = usize(row * width + left);
      const last = cell + usize(right - left);
      for (let column = left; cell < last; column++, cell++, u += uStep, v += vStep, x += xStep, y += yStep) {
        const allowed = load<f32>(allowance + (cell << 2));
        if (allowed <= 0) continue;
        let texel = f32x4.splat(0);
        if (painted) {
          const cu = min(max(u, 0), mostTexel);
          const cv = min(max(v, 0), mostTexel);
          const fu = f32x4.splat(f32(cu & 0xffff) * PER_STEP);
          const fv = f32x4.splat(f32(cv & 0xffff) * PER_STEP);
          const p = texels + (usize((cv >> 16) * side + (cu >> 16)) << 4);
          const q = p + texelRow;
          const topLeft = v128.load(p);
          const bottomLeft = v128.load(q);
          const upper = f32x4.add(topLeft, f32x4.mul(f32x4.sub(v128.load(p, 16), topLeft), fu));
          const lower = f32x4.add(bottomLeft, f32x4.mul(f32x4.sub(v128.load(q, 16), bottomLeft), fu));
          texel = f32x4.add(upper, f32x4.mul(f32x4.sub(lower, upper), fv));
        }
        const opacity = f32x4.extract_lane(texel, 3);
        // Where the new face covers all, what lies under it need not be found.
        const isMoved = !still && opacity <= opaque;
        let at: usize = 0;
        let fx: f32 = 0;
        let fy: f32 = 0;
        if (isMoved) {
          const cx = min(max(x, 0), mostX);
          const cy = min(max(y, 0), mostY);
          at = usize((cy >> 16) * width + (cx >> 16));
          fx = f32(cx & 0xffff) * PER_STEP;
          fy = f32(cy & 0xffff) * PER_STEP;
        }
        if (second === 0) {
          let colour = f32x4.extract_lane(texel, 0);
          if (grain > 0 && opacity > 0) colour += grain * grainAt(column + noiseSeed, row);
          paint(firstAt + usize(column), firstBefore, cell, width, isMoved, at, fx, fy, opacity, colour, allowed);
        } else {
          const blue = f32x4.extract_lane(texel, 1);
          paint(firstAt + usize(column), firstBefore, cell, width, isMoved, at, fx, fy, opacity, blue, allowed);
          const red = f32x4.extract_lane(texel, 2);
          paint(secondAt + usize(column), secondBefore, cell, width, isMoved, at, fx, fy, opacity, red, allowed);
        }
      }
    }
  }
}

function keepRows(from: usize, stride: usize, to: usize, width: i32, height: i32): void {
  for (let row = 0; row < height; row++, from += stride, to += usize(width)) memory.copy(to, from, usize(width));
}

// @ts-ignore: decorator
@inline
function paint(
  to: usize,
  before: usize,
  cell: usize,
  width: i32,
  isMoved: bool,
  source: usize,
  fx: f32,
  fy: f32,
  opacity: f32,
  colour: f32,
  allowed: f32,
): void {
  const own = f32(load<u8>(before + cell));
  let value = own;
  if (isMoved) {
    const at = before + source;
    const below = at + usize(width);
    const topLeft = f32(load<u8>(at));
    const bottomLeft = f32(load<u8>(below));
    const upper = topLeft + fx * (f32(load<u8>(at, 1)) - topLeft);
    const lower = bottomLeft + fx * (f32(load<u8>(below, 1)) - bottomLeft);
    value = upper + fy * (lower - upper);
  }
  value += opacity * (colour - value);
  // Rounded by the sum with 2^23, whose last bit is a whole one.
  const sum = f32x4.splat(own + allowed * (value - own));
  const held = f32x4.pmax(f32x4.splat(0), f32x4.pmin(f32x4.splat(255), sum));
  store<u8>(to, u8(i32x4.extract_lane(f32x4.add(held, f32x4.splat(8388608)), 0)));
}

/** See src/grain.ts. */
// @ts-ignore: decorator
@inline
function grainAt(x: i32, y: i32): f32 {
  let h = u32(x) * 0x9e3779b1 ^ u32(y) * 0x85ebca6b;
  h = (h ^ (h >>> 15)) * 0x2c1b3c6d;
  h = (h ^ (h >>> 12)) * 0x297a2d39;
  h ^= h >>> 15;
  const sum = (h & 255) + ((h >>> 8) & 255) + ((h >>> 16) & 255) + (h >>> 24);
  return (f32(sum) - 510) / 147.8;
}
