/** Number of fraction bits in the moves that `placeFace` writes: moves count 1/256 of a pixel. */
const MOVE_SHIFT: i32 = 8;
/** Distance in texels above which two neighbouring places lie on two sides of a fold. */
const FOLD: i32 = 8;

/**
 * Paints the luma of a picture whose pixels `placeFace` placed; a kernel of src/face/paint-face.ts.
 * `before` is scratch memory of `width * height` bytes, and `noiseSeed` the number of columns by
 * which the grain is shifted.
 */
export function paintLuma(
  places: usize,
  moves: usize,
  width: i32,
  height: i32,
  allowance: usize,
  texels: usize,
  side: i32,
  opaque: f32,
  grain: f32,
  noiseSeed: i32,
  luma: usize,
  stride: usize,
  before: usize,
): void {
  keepRows(luma, stride, before, width, height);
  lookAt(width, height, side, MOVE_SHIFT);
  const opaques = f32x4.splat(opaque);
  const grains = f32x4.splat(grain / 147.8);
  const zero = f32x4.splat(0);
  const texelRow = usize(side) << 3;
  for (let row = 0, cell: usize = 0; row < height; row++, luma += stride) {
    const rowCell = usize(row * width);
    for (let column = 0; column < width; column += 4) {
      cell = rowCell + usize(column);
      const allowed = v128.load(allowance + (cell << 2));
      if (!v128.any_true(f32x4.gt(allowed, zero))) continue;
      const place = v128.load(places + (cell << 2));
      findTexels(place);
      samplePairs(texels, texelRow, lowAt, highAt, shareX, shareY);
      const opacity = v128.andnot(odd, isNowhere(place));
      let colour = even;
      if (grain > 0) colour = f32x4.add(colour, f32x4.mul(grains, grainAt(column + noiseSeed, row)));
      // Pixels below an opaque face are not needed.
      const moved = f32x4.le(opacity, opaques);
      const own = bytesAt(before + cell);
      let value = own;
      if (v128.any_true(moved)) {
        findMoved(v128.load(moves + (cell << 2)), column, row);
        value = v128.bitselect(picture(before, usize(width), lowAt, highAt, shareX, shareY), own, moved);
      }
      paint(luma + usize(column), width - column, own, value, opacity, colour, allowed);
    }
  }
}

/**
 * Paints both chroma planes of a picture of `width` x `height` placed pixels; `isHalved` says
 * whether chroma is halved as in src/frame-planes.ts. A halved sample takes the mean place of the
 * pixels above and below it, unless these lie on two sides of a fold.
 */
export function paintChroma(
  places: usize,
  moves: usize,
  width: i32,
  height: i32,
  isHalved: bool,
  allowance: usize,
  texels: usize,
  side: i32,
  opaque: f32,
  blue: usize,
  blueStride: usize,
  blueBefore: usize,
  red: usize,
  redStride: usize,
  redBefore: usize,
): void {
  const columns = isHalved ? (width + 1) >> 1 : width;
  const rows = isHalved ? (height + 1) >> 1 : height;
  keepRows(blue, blueStride, blueBefore, columns, rows);
  keepRows(red, redStride, redBefore, columns, rows);
  lookAt(columns, rows, side, isHalved ? MOVE_SHIFT + 1 : MOVE_SHIFT);
  const opaques = f32x4.splat(opaque);
  const zero = f32x4.splat(0);
  const texelRow = usize(side) << 3;
  const colours = texels + usize(side) * texelRow;
  const pitch = usize(width) << 2;
  for (let row = 0; row < rows; row++, blue += blueStride, red += redStride) {
    for (let column = 0; column < columns; column += 4) {
      let place: v128;
      let move: v128;
      let allowed: v128;
      if (isHalved) {
        const at = usize(2 * row * width + 2 * column) << 2;
        const below = at + (2 * row + 1 < height ? pitch : 0);
        allowed = f32x4.mul(
          f32x4.add(evenOnes(allowance + at), evenOnes(allowance + below)),
          f32x4.splat(0.5),
        );
        if (!v128.any_true(f32x4.gt(allowed, zero))) continue;
        const upper = evenOnes(places + at);
        place = between(upper, evenOnes(places + below));
        move = v128.bitselect(evenOnes(moves + below), evenOnes(moves + at), isNowhere(upper));
      } else {
        const at = usize(row * width + column) << 2;
        allowed = v128.load(allowance + at);
        if (!v128.any_true(f32x4.gt(allowed, zero))) continue;
        place = v128.load(places + at);
        move = v128.load(moves + at);
      }
      findTexels(place);
      samplePairs(texels, texelRow, lowAt, highAt, shareX, shareY);
      const opacity = v128.andnot(odd, isNowhere(place));
      samplePairs(colours, texelRow, lowAt, highAt, shareX, shareY);
      const blues = even;
      const reds = odd;
      const moved = f32x4.le(opacity, opaques);
      const cell = usize(row * columns + column);
      const ownBlue = bytesAt(blueBefore + cell);
      const ownRed = bytesAt(redBefore + cell);
      let blueUnder = ownBlue;
      let redUnder = ownRed;
      if (v128.any_true(moved)) {
        findMoved(move, column, row);
        const underBlue = picture(blueBefore, usize(columns), lowAt, highAt, shareX, shareY);
        const underRed = picture(redBefore, usize(columns), lowAt, highAt, shareX, shareY);
        blueUnder = v128.bitselect(underBlue, ownBlue, moved);
        redUnder = v128.bitselect(underRed, ownRed, moved);
      }
      paint(blue + usize(column), columns - column, ownBlue, blueUnder, opacity, blues, allowed);
      paint(red + usize(column), columns - column, ownRed, redUnder, opacity, reds, allowed);
    }
  }
}

function keepRows(from: usize, stride: usize, to: usize, width: i32, height: i32): void {
  for (let row = 0; row < height; row++, from += stride, to += usize(width)) memory.copy(to, from, usize(width));
}

let placeShift: i32 = 0;
let placeRest: v128 = i32x4.splat(0);
let perPlace: v128 = f32x4.splat(0);
let sides: v128 = i32x4.splat(0);
let widths: v128 = i32x4.splat(0);
let foldSteps: v128 = i32x4.splat(0);
let moveShift: i32 = 0;
let moveRest: v128 = i32x4.splat(0);
let perMove: v128 = f32x4.splat(0);
/**
 * Largest coordinates: slightly less than those of the last sample, so that there always is a
 * neighbour.
 */
let mostX: v128 = i32x4.splat(0);
let mostY: v128 = i32x4.splat(0);

/**
 * Stores, for the functions below, the size of the picture (`width`, `height`) and of the texture
 * (`side`), and the number of fraction bits in a move (`steps`).
 */
function lookAt(width: i32, height: i32, side: i32, steps: i32): void {
  placeShift = 16 - (32 - clz(side - 1));
  placeRest = i32x4.splat((1 << placeShift) - 1);
  perPlace = f32x4.splat(1 / f32(1 << placeShift));
  foldSteps = i16x8.splat(i16(min(FOLD << placeShift, 0xffff)));
  sides = i32x4.splat(side);
  widths = i32x4.splat(width);
  moveShift = steps;
  moveRest = i32x4.splat((1 << steps) - 1);
  perMove = f32x4.splat(1 / f32(1 << steps));
  mostX = i32x4.splat(max(0, ((width - 1) << steps) - 1));
  mostY = i32x4.splat(max(0, ((height - 1) << steps) - 1));
}

/**
 * Results of `findTexels` and `findMoved`: four offsets, two each in `lowAt` and `highAt`, and the
 * fractions of the coordinates, 0..1.
 */
let lowAt: i64 = 0;
let highAt: i64 = 0;
let shareX: v128 = f32x4.splat(0);
let shareY: v128 = f32x4.splat(0);

/** Finds the offsets of four texels, in bytes from the texture's first pair. */
// @ts-ignore: decorator
@inline
function findTexels(place: v128): void {
  const seen = v128.andnot(place, isNowhere(place));
  const u = v128.and(seen, i32x4.splat(0xffff));
  const v = i32x4.shr_u(seen, 16);
  const at = i32x4.shl(
    i32x4.add(i32x4.mul(i32x4.shr_u(v, placeShift), sides), i32x4.shr_u(u, placeShift)),
    3,
  );
  lowAt = i64x2.extract_lane(at, 0);
  highAt = i64x2.extract_lane(at, 1);
  shareX = f32x4.mul(f32x4.convert_i32x4_s(v128.and(u, placeRest)), perPlace);
  shareY = f32x4.mul(f32x4.convert_i32x4_s(v128.and(v, placeRest)), perPlace);
}

/** Finds the offsets of four moved samples, in bytes from the picture's first sample. */
// @ts-ignore: decorator
@inline
function findMoved(move: v128, column: i32, row: i32): void {
  const columns = i32x4.add(i32x4.splat(column), i32x4(0, 1, 2, 3));
  const right = i32x4.shr_s(i32x4.shl(move, 16), 16);
  const x = held(i32x4.add(i32x4.shl(columns, moveShift), right), mostX);
  const y = held(i32x4.add(i32x4.splat(row << moveShift), i32x4.shr_s(move, 16)), mostY);
  const at = i32x4.add(i32x4.mul(i32x4.shr_u(y, moveShift), widths), i32x4.shr_u(x, moveShift));
  lowAt = i64x2.extract_lane(at, 0);
  highAt = i64x2.extract_lane(at, 1);
  shareX = f32x4.mul(f32x4.convert_i32x4_s(v128.and(x, moveRest)), perMove);
  shareY = f32x4.mul(f32x4.convert_i32x4_s(v128.and(y, moveRest)), perMove);
}

/** Returns a mask with all bits set in lanes where nothing is painted. */
// @ts-ignore: decorator
@inline
function isNowhere(place: v128): v128 {
  return i32x4.eq(place, i32x4.splat(-1));
}

/** Loads the first, third, fifth and seventh of eight neighbouring values. */
// @ts-ignore: decorator
@inline
function evenOnes(at: usize): v128 {
  return v128.shuffle<i32>(v128.load(at), v128.load(at, 16), 0, 2, 4, 6);
}

/**
 * Returns the place halfway between two places. If a fold runs between them it is the upper place,
 * and if one of them is not painted it is the other.
 */
// @ts-ignore: decorator
@inline
function between(upper: v128, lower: v128): v128 {
  const apart = i16x8.gt_u(i16x8.sub(i16x8.max_u(upper, lower), i16x8.min_u(upper, lower)), foldSteps);
  const isUpper = v128.or(i32x4.ne(apart, i32x4.splat(0)), isNowhere(lower));
  const place = v128.bitselect(upper, i16x8.avgr_u(upper, lower), isUpper);
  return v128.bitselect(lower, place, isNowhere(upper));
}

// @ts-ignore: decorator
@inline
function held(value: v128, most: v128): v128 {
  return i32x4.min_s(i32x4.max_s(value, i32x4.splat(0)), most);
}

/** Results of `samplePairs`: the first and the second value of each of the four pairs. */
let even: v128 = f32x4.splat(0);
let odd: v128 = f32x4.splat(0);

/**
 * Interpolates pairs of values at four places. `low` and `high` hold two offsets each, in bytes
 * from `pairs`.
 */
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

/** Interpolates a pair and the pair to its right between two rows. */
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

/** Loads four neighbouring bytes as floats. */
// @ts-ignore: decorator
@inline
function bytesAt(at: usize): v128 {
  return f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(at))));
}

/**
 * Interpolates the picture at four places. `low` and `high` hold two offsets each, in bytes from
 * `before`.
 */
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
  return mixed(betweenBytes(top, fx), betweenBytes(bottom, fx), fy);
}

/** Interpolates between the two bytes of each of four pairs. */
// @ts-ignore: decorator
@inline
function betweenBytes(pairs: v128, fx: v128): v128 {
  const one = f32x4.convert_i32x4_s(i32x4.shr_u(i32x4.shl(pairs, 24), 24));
  return mixed(one, f32x4.convert_i32x4_s(i32x4.shr_u(pairs, 8)), fx);
}

/** Mixes the colours of the next samples, and writes `count` of them, at most four. */
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

/** Returns the grain of four neighbouring columns, as in src/grain.ts but 147.8 times as large. */
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
