import { blurColumns, blurRows } from './box-blur';

/** Writes the lesser of `reach` columns before and after each, of one row whose ends were repeated on `line`. */
function leastAcross(row: usize, side: i32, reach: i32, line: usize): void {
  const before = line;
  const after = line + (usize(reach) << 3);
  const middle = line + (usize(reach) << 2);
  const bytes = usize(side) << 2;
  const first = load<f32>(row);
  const last = load<f32>(row + bytes - 4);
  for (let k: usize = 0; k < usize(reach) << 2; k += 4) {
    store<f32>(line + k, first);
    store<f32>(middle + bytes + k, last);
  }
  for (let x: usize = 0; x < bytes; x += 16) v128.store(middle + x, v128.load(row + x));
  for (let x: usize = 0; x < bytes; x += 16)
    v128.store(row + x, f32x4.min(v128.load(before + x), v128.load(after + x)));
}

/**
 * See roomOf in src/plain/room.ts. `side` is a multiple of four. `other` and `third` have room for a plane, `line` for
 * `side + 2 * reach + 8` floats. Overwrites the plane.
 */
export function roomOf(
  plane: usize,
  side: i32,
  reach: i32,
  perDeviation: f32,
  flat: f32,
  detail: f32,
  other: usize,
  third: usize,
  line: usize,
  room: usize,
): void {
  const pitch = usize(side) << 2;
  const bytes = pitch * usize(side);
  for (let k: usize = 0; k < bytes; k += 16) {
    const value = v128.load(plane + k);
    v128.store(other + k, f32x4.mul(value, value));
  }
  blurRows(plane, third, line, side, side, reach);
  blurColumns(third, plane, line, side, side, reach);
  blurRows(other, third, line, side, side, reach);
  blurColumns(third, other, line, side, side, reach);
  const none = f32x4.splat(0);
  for (let k: usize = 0; k < bytes; k += 16) {
    const mean = v128.load(plane + k);
    const variance = f32x4.sub(v128.load(other + k), f32x4.mul(mean, mean));
    v128.store(other + k, f32x4.sqrt(f32x4.max(none, variance)));
  }
  for (let y: usize = 0; y < bytes; y += pitch) leastAcross(other + y, side, reach, line);
  const most = f32x4.splat(detail);
  const scale = f32x4.splat(perDeviation);
  const least = f32x4.splat(flat);
  for (let y = 0; y < side; y++, room += pitch) {
    const above = other + usize(max(0, y - reach)) * pitch;
    const below = other + usize(min(side - 1, y + reach)) * pitch;
    for (let x: usize = 0; x < pitch; x += 16) {
      const deviation = f32x4.min(v128.load(above + x), v128.load(below + x));
      v128.store(room + x, f32x4.add(least, f32x4.min(most, f32x4.mul(scale, deviation))));
    }
  }
}

/** See blockSums in src/plain/room.ts. */
export function blockSums(plane: usize, side: i32, out: usize): void {
  const pitch = usize(side) << 2;
  for (let top = 0; top < side; top += 8, plane += 8 * pitch) {
    for (let left: usize = 0; left < pitch; left += 32, out += 4) {
      let sum = f32x4.splat(0);
      for (let y: usize = 0, at = plane + left; y < 8; y++, at += pitch) {
        sum = f32x4.add(sum, f32x4.add(v128.load(at), v128.load(at, 16)));
      }
      const pairs = f32x4.add(sum, v128.shuffle<f32>(sum, sum, 2, 3, 0, 1));
      store<f32>(out, f32x4.extract_lane(pairs, 0) + f32x4.extract_lane(pairs, 1));
    }
  }
}
