import { enlargePart } from './enlarge';
import { expOfNegative } from './exp';

/**
 * Kernel of src/face/relight-texture.ts. `light` contains consecutive planes: luma, blue, red and
 * facing. `numbers` are listed by `vectorOf` there. Rows are divided into bands of 16; bands with
 * the parity `skipped` do not change (-1: all change). `lines` has room for `5 * side + 24` floats.
 */
export function relightTexture(
  side: i32,
  from: usize,
  to: usize,
  mask: usize,
  features: usize,
  steps: usize,
  perLight: usize,
  ownBlue: usize,
  ownRed: usize,
  light: usize,
  lightSide: i32,
  occluded: usize,
  wanted: usize,
  numbers: usize,
  skipped: i32,
  lines: usize,
  texels: usize,
): void {
  const factor = side / lightSide;
  const rowBytes = usize(side) << 2;
  const colours = (usize(side) * rowBytes) << 1;
  const lightBytes = (usize(lightSide) * usize(lightSide)) << 2;
  const baseLine = lines;
  const blueLine = baseLine + rowBytes;
  const redLine = blueLine + rowBytes;
  const facingLine = redLine + rowBytes;
  const line = facingLine + rowBytes;
  const opacity = splatAt(numbers, 0);
  const ease = splatAt(numbers, 1);
  const silhouette = splatAt(numbers, 2);
  const perEdge = splatAt(numbers, 3);
  const darkFloor = splatAt(numbers, 4);
  const skinKnee = splatAt(numbers, 5);
  const kneeStep = splatAt(numbers, 6);
  const darkening = splatAt(numbers, 7);
  const brightening = splatAt(numbers, 8);
  const leastChroma = splatAt(numbers, 9);
  const mostChroma = splatAt(numbers, 10);
  const shoulder = splatAt(numbers, 11);
  const headroom = splatAt(numbers, 12);
  const leastOffset = splatAt(numbers, 13);
  const mostOffset = splatAt(numbers, 14);
  const colour = splatAt(numbers, 15);
  const lumaGain = splatAt(numbers, 16);
  const lumaOffset = splatAt(numbers, 17);
  const blueOffset = splatAt(numbers, 18);
  const redOffset = splatAt(numbers, 19);
  const lumaOfBlue = splatAt(numbers, 20);
  const lumaOfRed = splatAt(numbers, 21);
  const blueOfBlue = splatAt(numbers, 22);
  const blueOfRed = splatAt(numbers, 23);
  const redOfBlue = splatAt(numbers, 24);
  const redOfRed = splatAt(numbers, 25);
  const one = splatAt(numbers, 26);
  const two = f32x4.add(one, one);
  const three = f32x4.add(two, one);
  const zero = f32x4.splat(0);
  for (let y = 0; y < side; y++, from += 2, to += 2) {
    const left = i32(load<u16>(from));
    const right = i32(load<u16>(to));
    if (right === 0 || ((y >> 4) & 1) === skipped) continue;
    enlargePart(light, baseLine, line, lightSide, factor, y, left, right);
    enlargePart(light + lightBytes, blueLine, line, lightSide, factor, y, left, right);
    enlargePart(light + 2 * lightBytes, redLine, line, lightSide, factor, y, left, right);
    enlargePart(light + 3 * lightBytes, facingLine, line, lightSide, factor, y, left, right);
    const row = usize(y) * rowBytes;
    const end = usize(right) << 2;
    for (let x = usize(left) << 2; x < end; x += 16) {
      const i = row + x;
      const own = v128.load(mask + i);
      const shown = f32x4.gt(own, zero);
      if (!v128.any_true(shown)) continue;
      const before = v128.load(occluded + i);
      const cover = f32x4.add(before, f32x4.mul(ease, f32x4.sub(v128.load(wanted + i), before)));
      v128.store(occluded + i, v128.bitselect(cover, before, shown));
      const edge = held(f32x4.mul(f32x4.sub(v128.load(facingLine + x), silhouette), perEdge), zero, one);
      const smooth = f32x4.mul(f32x4.mul(edge, edge), f32x4.sub(three, f32x4.mul(two, edge)));
      const alpha = f32x4.mul(f32x4.mul(f32x4.mul(opacity, own), f32x4.sub(one, cover)), smooth);
      const base = v128.load(baseLine + x);
      const gain = f32x4.mul(f32x4.add(base, darkFloor), v128.load(perLight + i));
      const step = v128.load(steps + i);
      const feature = v128.load(features + i);
      const knee = f32x4.add(skinKnee, f32x4.mul(kneeStep, feature));
      const beyond = f32x4.mul(f32x4.mul(darkening, feature), f32x4.pmax(zero, f32x4.sub(gain, knee)));
      const darker = f32x4.add(f32x4.pmin(gain, knee), beyond);
      const brighter = f32x4.add(
        f32x4.pmin(gain, one),
        f32x4.mul(brightening, f32x4.pmax(zero, f32x4.sub(gain, one))),
      );
      let value = f32x4.add(base, f32x4.mul(step, v128.bitselect(darker, brighter, f32x4.lt(step, zero))));
      const over = f32x4.gt(value, shoulder);
      if (v128.any_true(over)) {
        const fade = expOfNegative(f32x4.div(f32x4.sub(shoulder, f32x4.pmax(shoulder, value)), headroom));
        const bent = f32x4.add(shoulder, f32x4.mul(headroom, f32x4.sub(one, fade)));
        value = v128.bitselect(bent, value, over);
      }
      value = f32x4.pmax(zero, value);
      const shade = held(f32x4.div(value, f32x4.add(base, one)), leastChroma, mostChroma);
      const offset = f32x4.mul(colour, held(gain, leastOffset, mostOffset));
      const b = f32x4.add(
        f32x4.mul(v128.load(blueLine + x), shade),
        f32x4.mul(v128.load(ownBlue + i), offset),
      );
      const r = f32x4.add(f32x4.mul(v128.load(redLine + x), shade), f32x4.mul(v128.load(ownRed + i), offset));
      const luma = sum(f32x4.add(lumaOffset, f32x4.mul(lumaGain, value)), lumaOfBlue, b, lumaOfRed, r);
      const blue = sum(blueOffset, blueOfBlue, b, blueOfRed, r);
      const red = sum(redOffset, redOfBlue, b, redOfRed, r);
      const at = texels + (i << 1);
      storePairs(at, v128.and(luma, shown), v128.and(alpha, shown));
      storePairs(at + colours, v128.and(blue, shown), v128.and(red, shown));
    }
  }
}

// @ts-ignore: decorator
@inline
function splatAt(numbers: usize, k: usize): v128 {
  return f32x4.splat(load<f32>(numbers + (k << 2)));
}

// @ts-ignore: decorator
@inline
function held(value: v128, least: v128, most: v128): v128 {
  return f32x4.pmax(least, f32x4.pmin(most, value));
}

// @ts-ignore: decorator
@inline
function sum(offset: v128, ofBlue: v128, blue: v128, ofRed: v128, red: v128): v128 {
  return f32x4.add(f32x4.add(offset, f32x4.mul(ofBlue, blue)), f32x4.mul(ofRed, red));
}

/** Interleaves vectors of two planes to four pairs. */
// @ts-ignore: decorator
@inline
function storePairs(to: usize, even: v128, odd: v128): void {
  v128.store(to, v128.shuffle<f32>(even, odd, 0, 4, 1, 5));
  v128.store(to, v128.shuffle<f32>(even, odd, 2, 6, 3, 7), 16);
}
