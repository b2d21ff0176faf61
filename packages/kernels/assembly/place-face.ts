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
/** Shift from steps of 1/65,536 to the steps of moves. */
const TO_MOVE: i32 = 8;

/**
 * Kernel of src/face/paint-face.ts. Finds, for each pixel of a `width` x `height` picture, the
 * texel of the nearest triangle over it, and from where the pixel is moved. `triangles` begin with
 * the farthest.
 *
 * Each place and each move has 32 bits: 16 across and 16 down. `places` are in the texture, between
 * centres of texels, in the finest steps for which `side` fits in 16 bits. All bits are set where
 * nothing is painted. `moves` are distances in the picture, in steps of 1/256.
 */
export function placeFace(
  points: usize,
  texelAt: usize,
  sourceAt: usize,
  triangles: usize,
  flags: usize,
  count: i32,
  width: i32,
  height: i32,
  side: i32,
  places: usize,
  moves: usize,
): void {
  const bytes = usize(width * height) << 2;
  memory.fill(places, 0xff, bytes);
  memory.fill(moves, 0, bytes);
  const shift = 32 - clz(side - 1);
  const half = 1 << (shift - 1);
  // Slightly less than the last texel, so that there is always a neighbour.
  const last = i16x8.splat(i16(((side - 1) << (16 - shift)) - 1));
  const most = f64x2.splat(f64(width));
  const ramp = i32x4(0, 1, 2, 3);
  for (let t = 0; t < count; t++, triangles += 6) {
    const flag = i32(load<u8>(flags + t));
    const still = (flag & STILL) !== 0;
    const painted = (flag & UNPAINTED) === 0;
    if (still && !painted) continue;
    const hidden = i32x4.splat(painted ? 0 : -1);
    const a = load<u16>(triangles);
    const b = load<u16>(triangles, 2);
    const c = load<u16>(triangles, 4);
    beginTriangle(points, a, b, c, height);
    // All four coordinates are computed at this pixel, and increased by steps from there.
    const origin = i32(xOf(points, a));
    beginSteps(points, a, b, c, origin, firstRow);
    findSteps(texelAt, a, b, c);
    const uStep = i32x4.extract_lane(across, 0);
    const vStep = i32x4.extract_lane(across, 1);
    const uDown = i32x4.extract_lane(down, 0);
    const vDown = i32x4.extract_lane(down, 1);
    let uRow = i32x4.extract_lane(start, 0) + half;
    let vRow = i32x4.extract_lane(start, 1) + half;
    findSteps(sourceAt, a, b, c);
    const xStep = i32x4.extract_lane(across, 0) - 0x10000;
    const yStep = i32x4.extract_lane(across, 1);
    const xDown = i32x4.extract_lane(down, 0);
    const yDown = i32x4.extract_lane(down, 1) - 0x10000;
    let xRow = i32x4.extract_lane(start, 0) - (origin << 16) + (1 << (TO_MOVE - 1));
    let yRow = i32x4.extract_lane(start, 1) - (firstRow << 16) + (1 << (TO_MOVE - 1));
    const uRamp = i32x4.mul(i32x4.splat(uStep), ramp);
    const vRamp = i32x4.mul(i32x4.splat(vStep), ramp);
    const xRamp = i32x4.mul(i32x4.splat(xStep), ramp);
    const yRamp = i32x4.mul(i32x4.splat(yStep), ramp);
    const uFour = i32x4.splat(4 * uStep);
    const vFour = i32x4.splat(4 * vStep);
    const xFour = i32x4.splat(4 * xStep);
    const yFour = i32x4.splat(4 * yStep);
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
      const left = min(one, other);
      const along = left - origin;
      let u = i32x4.add(i32x4.splat(uRow + along * uStep), uRamp);
      let v = i32x4.add(i32x4.splat(vRow + along * vStep), vRamp);
      let x = i32x4.add(i32x4.splat(xRow + along * xStep), xRamp);
      let y = i32x4.add(i32x4.splat(yRow + along * yStep), yRamp);
      let at = usize(row * width + left) << 2;
      for (let rest: i32 = max(one, other) - left; rest > 0; rest -= 4, at += 16) {
        const inside = i32x4.gt_s(i32x4.splat(rest), ramp);
        const place = i16x8.min_u(i16x8.narrow_i32x4_u(i32x4.shr_s(u, shift), i32x4.shr_s(v, shift)), last);
        const move = i16x8.narrow_i32x4_s(i32x4.shr_s(x, TO_MOVE), i32x4.shr_s(y, TO_MOVE));
        storeInside(places + at, v128.or(paired(place), hidden), inside);
        storeInside(moves + at, paired(move), inside);
        u = i32x4.add(u, uFour);
        v = i32x4.add(v, vFour);
        x = i32x4.add(x, xFour);
        y = i32x4.add(y, yFour);
      }
    }
  }
}

/** Packs two times four 16-bit values to four pairs. */
// @ts-ignore: decorator
@inline
function paired(halves: v128): v128 {
  return v128.shuffle<i16>(halves, halves, 0, 4, 1, 5, 2, 6, 3, 7);
}

// @ts-ignore: decorator
@inline
function storeInside(to: usize, value: v128, inside: v128): void {
  v128.store(to, v128.bitselect(value, v128.load(to), inside));
}
