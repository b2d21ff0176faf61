import { enlargeRow, isRowEmpty } from './enlarge';
import { expOfNegative } from './exp';

/**
 * Kernel of src/face/relight.ts. `from` is the old light, and `to` the new one. Each has
 * consecutive planes: luma, blue and red.
 *
 * `shares` contains the twelve numbers of `RelightShares` and a 1, because V8 would build the
 * vector of a constant again in each iteration. `lines` has room for `7 * side + 24` floats.
 */
export function relight(
  luma: usize,
  blue: usize,
  red: usize,
  from: usize,
  to: usize,
  mask: usize,
  features: usize,
  lightSide: i32,
  side: i32,
  colour: f32,
  shares: usize,
  lines: usize,
  lumaOut: usize,
  blueOut: usize,
  redOut: usize,
): void {
  const factor = side / lightSide;
  const rowBytes = usize(side) << 2;
  const lightBytes = (usize(lightSide) * usize(lightSide)) << 2;
  const darkFloor = f32x4.splat(load<f32>(shares));
  const skinKnee = f32x4.splat(load<f32>(shares, 4));
  const kneeStep = f32x4.splat(load<f32>(shares, 8) - load<f32>(shares, 4));
  const darkening = f32x4.splat(load<f32>(shares, 12));
  const brightening = f32x4.splat(load<f32>(shares, 16));
  const leastChroma = f32x4.splat(load<f32>(shares, 20));
  const mostChroma = f32x4.splat(load<f32>(shares, 24));
  const perSkinColour = f32x4.splat(1 / load<f32>(shares, 28));
  const perFeatureStep = f32x4.splat(1 / load<f32>(shares, 32) - 1 / load<f32>(shares, 28));
  const shoulder = f32x4.splat(load<f32>(shares, 36));
  const headroom = f32x4.sub(f32x4.splat(255), shoulder);
  const leastOffset = f32x4.splat(load<f32>(shares, 40));
  const mostOffset = f32x4.splat(load<f32>(shares, 44));
  const colours = f32x4.splat(colour);
  const zero = f32x4.splat(0);
  const one = f32x4.splat(load<f32>(shares, 48));
  const fromLuma = lines;
  const fromBlue = fromLuma + rowBytes;
  const fromRed = fromBlue + rowBytes;
  const toLuma = fromRed + rowBytes;
  const toBlue = toLuma + rowBytes;
  const toRed = toBlue + rowBytes;
  const line = toRed + rowBytes;
  for (let y = 0; y < side; y++) {
    const start = usize(y) * rowBytes;
    if (!anyAbove(mask + start, rowBytes)) {
      memory.fill(lumaOut + start, 0, rowBytes);
      memory.fill(blueOut + start, 0, rowBytes);
      memory.fill(redOut + start, 0, rowBytes);
      continue;
    }
    enlargeRow(from, fromLuma, line, lightSide, factor, y);
    enlargeRow(from + lightBytes, fromBlue, line, lightSide, factor, y);
    enlargeRow(from + 2 * lightBytes, fromRed, line, lightSide, factor, y);
    enlargeRow(to, toLuma, line, lightSide, factor, y);
    enlargeRow(to + lightBytes, toBlue, line, lightSide, factor, y);
    enlargeRow(to + 2 * lightBytes, toRed, line, lightSide, factor, y);
    for (let x: usize = 0; x < rowBytes; x += 16) {
      const i = start + x;
      const shown = f32x4.ne(v128.load(mask + i), zero);
      if (!v128.any_true(shown)) {
        v128.store(lumaOut + i, zero);
        v128.store(blueOut + i, zero);
        v128.store(redOut + i, zero);
        continue;
      }
      const own = v128.load(luma + i);
      const light = v128.load(fromLuma + x);
      const base = v128.load(toLuma + x);
      const gain = f32x4.div(f32x4.add(base, darkFloor), f32x4.add(light, darkFloor));
      const step = f32x4.sub(own, light);
      const feature = v128.load(features + i);
      const knee = f32x4.add(skinKnee, f32x4.mul(kneeStep, feature));
      // Up to the knee, the gain counts fully. Above it, only a share of the rest counts.
      const beyond = f32x4.mul(f32x4.mul(darkening, feature), f32x4.pmax(f32x4.sub(gain, knee), zero));
      const darker = f32x4.add(f32x4.pmin(gain, knee), beyond);
      const brighter = f32x4.add(
        f32x4.pmin(gain, one),
        f32x4.mul(brightening, f32x4.pmax(f32x4.sub(gain, one), zero)),
      );
      let value = f32x4.add(base, f32x4.mul(step, v128.bitselect(darker, brighter, f32x4.lt(step, zero))));
      const over = f32x4.gt(value, shoulder);
      if (v128.any_true(over)) {
        const fade = expOfNegative(f32x4.div(f32x4.sub(shoulder, f32x4.pmax(value, shoulder)), headroom));
        const bent = f32x4.add(shoulder, f32x4.mul(headroom, f32x4.sub(one, fade)));
        value = v128.bitselect(bent, value, over);
      }
      value = f32x4.pmax(value, zero);
      const shade = held(f32x4.div(value, f32x4.add(base, one)), leastChroma, mostChroma);
      const ownShade = held(f32x4.div(own, f32x4.add(light, one)), leastChroma, mostChroma);
      const offset = f32x4.mul(colours, held(gain, leastOffset, mostOffset));
      const perOwnColour = f32x4.add(perSkinColour, f32x4.mul(perFeatureStep, feature));
      const ownBlue = bounded(
        f32x4.sub(v128.load(blue + i), f32x4.mul(v128.load(fromBlue + x), ownShade)),
        perOwnColour,
        one,
      );
      const ownRed = bounded(
        f32x4.sub(v128.load(red + i), f32x4.mul(v128.load(fromRed + x), ownShade)),
        perOwnColour,
        one,
      );
      const blues = f32x4.add(f32x4.mul(v128.load(toBlue + x), shade), f32x4.mul(ownBlue, offset));
      const reds = f32x4.add(f32x4.mul(v128.load(toRed + x), shade), f32x4.mul(ownRed, offset));
      v128.store(lumaOut + i, v128.and(value, shown));
      v128.store(blueOut + i, v128.and(blues, shown));
      v128.store(redOut + i, v128.and(reds, shown));
    }
  }
}

// @ts-ignore: decorator
@inline
function held(value: v128, least: v128, most: v128): v128 {
  return f32x4.pmax(least, f32x4.pmin(most, value));
}

// @ts-ignore: decorator
@inline
function bounded(value: v128, per: v128, one: v128): v128 {
  return f32x4.div(value, f32x4.add(one, f32x4.mul(f32x4.abs(value), per)));
}

function anyAbove(row: usize, bytes: usize): bool {
  let any = f32x4.splat(0);
  for (let x: usize = 0; x < bytes; x += 16) any = v128.or(any, v128.load(row + x));
  return v128.any_true(any);
}

/** Adds a small square plane, enlarged to `side`, where the mask is not 0. `lines` has room for `side + smallSide + 6` floats. */
export function addEnlarged(plane: usize, small: usize, mask: usize, smallSide: i32, side: i32, lines: usize): void {
  const factor = side / smallSide;
  const rowBytes = usize(side) << 2;
  const zero = f32x4.splat(0);
  for (let y = 0; y < side; y++, plane += rowBytes, mask += rowBytes) {
    if (isRowEmpty(small, smallSide, factor, y) || !anyAbove(mask, rowBytes)) continue;
    enlargeRow(small, lines, lines + rowBytes, smallSide, factor, y);
    if (!anyAbove(lines, rowBytes)) continue;
    for (let x: usize = 0; x < rowBytes; x += 16) {
      const shown = f32x4.ne(v128.load(mask + x), zero);
      v128.store(plane + x, f32x4.add(v128.load(plane + x), v128.and(v128.load(lines + x), shown)));
    }
  }
}

/** See mixEnlarged in src/relight.ts. `lines` has room for `2 * side + smallSide + 8` floats. */
export function mixEnlarged(plane: usize, small: usize, share: usize, smallSide: i32, side: i32, lines: usize): void {
  const factor = side / smallSide;
  const rowBytes = usize(side) << 2;
  for (let y = 0; y < side; y++, plane += rowBytes) {
    if (isRowEmpty(share, smallSide, factor, y)) continue;
    enlargeRow(share, lines, lines + 2 * rowBytes, smallSide, factor, y);
    if (!anyAbove(lines, rowBytes)) continue;
    enlargeRow(small, lines + rowBytes, lines + 2 * rowBytes, smallSide, factor, y);
    for (let x: usize = 0; x < rowBytes; x += 16) {
      const value = v128.load(plane + x);
      const step = f32x4.sub(v128.load(lines + rowBytes + x), value);
      v128.store(plane + x, f32x4.add(value, f32x4.mul(v128.load(lines + x), step)));
    }
  }
}
