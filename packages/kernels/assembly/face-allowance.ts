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
  rowFrom,
  slopeOf,
  spanOf,
  start,
  turnOf,
  upperSlope,
  upperX,
  upperY,
  xOf,
  yOf,
} from './triangle';

/**
 * Kernel of src/face/face-allowance.ts. Writes 1 to `mask` and `depth` in all pixels of the
 * triangles, and 0 elsewhere. Both have room for three more values.
 *
 * In each row, a triangle adds +1 to `counts` where its pixels begin and -1 where they end. The
 * sums along the rows then show which pixels are covered. At an edge between two triangles these
 * values cancel, unless only one of them is turned away from the camera. So only about one in ten
 * `edges` of a face must be drawn (see src/mesh-edges.ts). `counts` has room for `height * (width +
 * 8)` 16-bit integers, and `turned` for a byte per triangle.
 */
export function coverTriangles(
  points: usize,
  triangles: usize,
  count: i32,
  edges: usize,
  edgeCount: i32,
  width: i32,
  height: i32,
  turned: usize,
  counts: usize,
  mask: usize,
  depth: usize,
): void {
  for (let t = 0; t < count; t++, triangles += 6) {
    const turn = turnOf(points, load<u16>(triangles), load<u16>(triangles, 2), load<u16>(triangles, 4));
    store<i8>(turned + t, turn < 0 ? -1 : 1);
  }
  const pitch = width + 8;
  memory.fill(counts, 0, usize(height * pitch) << 1);
  for (let e = 0; e < edgeCount; e++, edges += 8) {
    const other = load<u16>(edges, 6);
    const before = i32(load<i8>(turned + load<u16>(edges, 4)));
    const steps = other === NONE ? before : before - i32(load<i8>(turned + other));
    if (steps !== 0) addEdge(points, load<u16>(edges), load<u16>(edges, 2), steps, width, height, counts);
  }
  const zero = i16x8.splat(0);
  const one = f32x4.splat(1);
  for (let row = 0; row < height; row++, counts += usize(pitch) << 1) {
    let before = zero;
    let at = counts;
    for (let x = 0; x < width; x += 8, at += 16) {
      let sums = v128.load(at);
      sums = i16x8.add(sums, v128.shuffle<i16>(zero, sums, 7, 8, 9, 10, 11, 12, 13, 14));
      sums = i16x8.add(sums, v128.shuffle<i16>(zero, sums, 6, 7, 8, 9, 10, 11, 12, 13));
      sums = i16x8.add(sums, v128.shuffle<i16>(zero, sums, 4, 5, 6, 7, 8, 9, 10, 11));
      sums = i16x8.add(sums, before);
      before = v128.shuffle<i16>(sums, sums, 7, 7, 7, 7, 7, 7, 7, 7);
      const covered = i16x8.gt_s(sums, zero);
      const low = v128.and(one, i32x4.extend_low_i16x8_s(covered));
      const high = v128.and(one, i32x4.extend_high_i16x8_s(covered));
      const to = usize(row * width + x) << 2;
      v128.store(mask + to, low);
      v128.store(depth + to, low);
      // The next row begins here at the earliest.
      if (x + 4 >= width) continue;
      v128.store(mask + to, high, 16);
      v128.store(depth + to, high, 16);
    }
  }
}

/** Index instead of the second triangle, for an edge at the mesh's rim, which has one triangle. */
const NONE: i32 = 0xffff;

/**
 * Adds `steps` to the count at which each row crosses the edge if the edge leads upwards, and
 * subtracts `steps` if it leads downwards.
 */
function addEdge(points: usize, a: i32, b: i32, steps: i32, width: i32, height: i32, counts: usize): void {
  const isDown = yOf(points, a) < yOf(points, b);
  const top = isDown ? a : b;
  const bottom = isDown ? b : a;
  const by = isDown ? -steps : steps;
  const x = xOf(points, top);
  const y = yOf(points, top);
  const slope = slopeOf(x, y, xOf(points, bottom), yOf(points, bottom));
  const end = rowFrom(yOf(points, bottom), height);
  for (let row = rowFrom(y, height); row < end; row++) {
    const column = rowFrom(x + (f64(row) + 0.5 - y) * slope, width);
    const at = counts + (usize(row * (width + 8) + column) << 1);
    store<i16>(at, load<i16>(at) + i16(by));
  }
}

/** Multiplies `mask` by a smooth step from 0 to 1, while `depth` goes from `from` to `to`. */
export function fadeEdge(mask: usize, depth: usize, count: i32, from: f32, to: f32): void {
  const end = mask + (usize(count) << 2);
  const per = f32x4.splat(1 / (to - from));
  const start = f32x4.splat(from);
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  const inner = f32x4.splat(to);
  for (; mask < end; mask += 16, depth += 16) {
    const depths = v128.load(depth);
    // Most pixels of a face are far from its edge, and stay as they are.
    if (i32x4.all_true(f32x4.gt(depths, inner))) continue;
    const share = f32x4.min(f32x4.max(f32x4.mul(f32x4.sub(depths, start), per), zero), one);
    const smooth = f32x4.mul(
      f32x4.mul(share, share),
      f32x4.sub(f32x4.splat(3), f32x4.add(share, share)),
    );
    v128.store(mask, f32x4.mul(v128.load(mask), smooth));
  }
}

/**
 * Kernel of src/face/face-allowance.ts. Multiplies the allowance by 1 minus the coverage, which
 * `plane` (side x side, 0..1) has for the texels of the triangles.
 */
export function hideBehind(
  points: usize,
  texelAt: usize,
  triangles: usize,
  count: i32,
  width: i32,
  height: i32,
  plane: usize,
  side: i32,
  allowance: usize,
): void {
  // Coordinates (in steps of 1/65,536) are limited to slightly less than the last texel, so that
  // there is always a neighbour.
  const most = ((side - 1) << 16) - 1;
  const stride = usize(side) << 2;
  const mostColumn = f64x2.splat(f64(width));
  for (let t = 0; t < count; t++, triangles += 6) {
    const a = load<u16>(triangles);
    const b = load<u16>(triangles, 2);
    const c = load<u16>(triangles, 4);
    if (turnOf(points, a, b, c) * turnOf(texelAt, a, b, c) <= 0) continue;
    const inFront = coverageOf(plane, side, texelAt, a, b, c);
    if (inFront === NOTHING) continue;
    beginTriangle(points, a, b, c, height);
    const origin = i32(xOf(points, a));
    beginSteps(points, a, b, c, origin, firstRow);
    findSteps(texelAt, a, b, c);
    const uStep = i32x4.extract_lane(across, 0);
    const vStep = i32x4.extract_lane(across, 1);
    const uDown = i32x4.extract_lane(down, 0);
    const vDown = i32x4.extract_lane(down, 1);
    let uRow = i32x4.extract_lane(start, 0);
    let vRow = i32x4.extract_lane(start, 1);
    const middle = max(firstRow, middleRow);
    let sideX = upperX;
    let sideY = upperY;
    let slope = upperSlope;
    for (let row = firstRow; row < endRow; row++, uRow += uDown, vRow += vDown) {
      if (row === middle) {
        sideX = lowerX;
        sideY = lowerY;
        slope = lowerSlope;
      }
      const span = spanOf(row, sideX, sideY, slope, mostColumn);
      const one = i32x4.extract_lane(span, 0);
      const other = i32x4.extract_lane(span, 1);
      const left = min(one, other);
      const right = max(one, other);
      if (inFront === ALL) {
        for (let x = left; x < right; x++) store<f32>(allowance + (usize(row * width + x) << 2), 0);
        continue;
      }
      let u = uRow + (left - origin) * uStep;
      let v = vRow + (left - origin) * vStep;
      const end = allowance + (usize(row * width + right) << 2);
      for (let at = allowance + (usize(row * width + left) << 2); at < end; at += 4, u += uStep, v += vStep) {
        const cu = min(max(u, 0), most);
        const cv = min(max(v, 0), most);
        const p = plane + (usize((cv >> 16) * side + (cu >> 16)) << 2);
        const q = p + stride;
        // Most places have nothing in front.
        if ((load<u64>(p) | load<u64>(q)) === 0) continue;
        const fu = f32(cu & 0xffff) * PER_STEP;
        const fv = f32(cv & 0xffff) * PER_STEP;
        const upper = load<f32>(p) + (load<f32>(p, 4) - load<f32>(p)) * fu;
        const lower = load<f32>(q) + (load<f32>(q, 4) - load<f32>(q)) * fu;
        store<f32>(at, load<f32>(at) * (1 - (upper + (lower - upper) * fv)));
      }
    }
  }
}

/** Result of `coverageOf`: nothing is in front of the triangle. */
const NOTHING: i32 = 0;
/** Result of `coverageOf`: something is in front of a part of the triangle. */
const SOME: i32 = 1;
/** Result of `coverageOf`: the whole triangle is covered. */
const ALL: i32 = 2;

/** Margin around a triangle, texels, because interpolation also reads neighbours. */
const MARGIN: f64 = 2;

/** Returns how much of the box around a triangle is covered: `NOTHING`, `SOME` or `ALL`. */
function coverageOf(plane: usize, side: i32, texelAt: usize, a: i32, b: i32, c: i32): i32 {
  const ax = xOf(texelAt, a);
  const bx = xOf(texelAt, b);
  const cx = xOf(texelAt, c);
  const ay = yOf(texelAt, a);
  const by = yOf(texelAt, b);
  const cy = yOf(texelAt, c);
  const left = max(0, i32(Math.floor(min(ax, min(bx, cx)) - MARGIN)) & ~3);
  const right = min(side, (i32(Math.ceil(max(ax, max(bx, cx)) + MARGIN)) + 3) & ~3);
  const top = max(0, i32(Math.floor(min(ay, min(by, cy)) - MARGIN)));
  const bottom = min(side, i32(Math.ceil(max(ay, max(by, cy)) + MARGIN)));
  const one = f32x4.splat(1);
  let isClear = true;
  let isFull = true;
  for (let y = top; y < bottom; y++) {
    const row = plane + (usize(y * side) << 2);
    const end = row + (usize(right) << 2);
    for (let at = row + (usize(left) << 2); at < end; at += 16) {
      const values = v128.load(at);
      if (v128.any_true(values)) isClear = false;
      if (!i32x4.all_true(f32x4.eq(values, one))) isFull = false;
      if (!isClear && !isFull) return SOME;
    }
  }
  return isClear ? NOTHING : ALL;
}
