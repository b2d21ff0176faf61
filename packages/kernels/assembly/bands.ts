import { blurColumns, blurRow, blurRows } from './box-blur';
import { storeSome } from './store-some';

/**
 * Kernel of src/filter/bands.ts. `fine`, `coarse` and `scratch` each have room for a plane; `count`
 * is a multiple of 4.
 */
export function sharpen(
  luma: usize,
  fine: usize,
  coarse: usize,
  scratch: usize,
  lines: usize,
  width: i32,
  height: i32,
  radius: i32,
  strength: f32,
  fineGain: f32,
  coarseGain: f32,
  core: f32,
  most: f32,
): void {
  const bytes = (usize(width) * usize(height)) << 2;
  blurRows(luma, scratch, lines, width, height, radius);
  blurColumns(scratch, fine, lines, width, height, radius);
  const broad = 2 * radius + 1;
  blurRows(fine, scratch, lines, width, height, broad);
  blurColumns(scratch, coarse, lines, width, height, broad);
  const fineGains = f32x4.splat(fineGain);
  const coarseGains = f32x4.splat(coarseGain);
  const cores = f32x4.splat(core * core);
  const perMost = f32x4.splat(1 / most);
  const strengths = f32x4.splat(strength);
  const one = f32x4.splat(1);
  for (let i: usize = 0; i < bytes; i += 16) {
    const own = v128.load(luma + i);
    const smooth = v128.load(fine + i);
    const change = f32x4.add(
      f32x4.mul(fineGains, cored(f32x4.sub(own, smooth), cores)),
      f32x4.mul(coarseGains, cored(f32x4.sub(smooth, v128.load(coarse + i)), cores)),
    );
    const bent = f32x4.div(
      f32x4.mul(strengths, change),
      f32x4.add(one, f32x4.mul(f32x4.abs(change), perMost)),
    );
    const sharp = f32x4.add(own, bent);
    if (i + 16 <= bytes) v128.store(luma + i, sharp);
    else storeSome(luma + i, sharp, i32(bytes - i) >> 2);
  }
}

/** Reduces small steps: returns step^3 / (step^2 + core^2). */
// @ts-ignore: decorator
@inline
function cored(step: v128, core: v128): v128 {
  const square = f32x4.mul(step, step);
  return f32x4.div(f32x4.mul(square, step), f32x4.add(square, core));
}

/**
 * Splits one band off, as in src/bands.ts: writes `smooth` minus its blur, which is weighted with `share`, to `band`, and replaces
 * `smooth` by the blur. `ring` has room for `2 * radius + 2` rows, and `lines` for `2 * width + 2 * radius + 16` floats.
 */
export function splitBand(
  smooth: usize,
  share: usize,
  band: usize,
  ring: usize,
  lines: usize,
  width: i32,
  height: i32,
  radius: i32,
): void {
  const window = 2 * radius + 1;
  const rows = window + 1;
  const scale: f32 = 1 / f32(window);
  const scales = f32x4.splat(scale);
  const pitch = usize(width) << 2;
  const vectors = pitch & ~15;
  const sums = lines;
  const line = lines + pitch + 32;
  const last = height - 1;
  for (let y = 0, stop = min(radius, last); y <= stop; y++)
    blurRow(smooth + pitch * usize(y), ring + pitch * usize(y), line, width, radius);
  for (let x: usize = 0; x < pitch; x += 4) store<f32>(sums + x, load<f32>(ring + x) * (f32(radius) + 1));
  for (let y = 1; y <= radius; y++) {
    const row = ring + pitch * usize(min(y, last));
    for (let x: usize = 0; x < pitch; x += 4) store<f32>(sums + x, load<f32>(sums + x) + load<f32>(row + x));
  }
  for (let y = 0; y < height; y++, smooth += pitch, share += pitch, band += pitch) {
    const next = y + radius + 1;
    const enter = ring + pitch * usize(min(next, last) % rows);
    const leave = ring + pitch * usize(max(y - radius, 0) % rows);
    // The row below still has its old values.
    if (next <= last) blurRow(smooth + pitch * usize(radius + 1), enter, line, width, radius);
    let x: usize = 0;
    for (; x < vectors; x += 16) {
      const sum = v128.load(sums + x);
      const value = f32x4.mul(f32x4.mul(sum, scales), v128.load(share + x));
      v128.store(band + x, f32x4.sub(v128.load(smooth + x), value));
      v128.store(smooth + x, value);
      v128.store(sums + x, f32x4.add(sum, f32x4.sub(v128.load(enter + x), v128.load(leave + x))));
    }
    for (; x < pitch; x += 4) {
      const sum = load<f32>(sums + x);
      const value = sum * scale * load<f32>(share + x);
      store<f32>(band + x, load<f32>(smooth + x) - value);
      store<f32>(smooth + x, value);
      store<f32>(sums + x, sum + (load<f32>(enter + x) - load<f32>(leave + x)));
    }
  }
}

/** Writes the plane where the mask is above 0, and 0 elsewhere. */
export function masked(plane: usize, mask: usize, out: usize, count: i32): void {
  const zero = f32x4.splat(0);
  const end = out + (usize(count) << 2);
  for (; out + 16 <= end; out += 16, plane += 16, mask += 16)
    v128.store(out, v128.and(v128.load(plane), f32x4.gt(v128.load(mask), zero)));
  for (; out < end; out += 4, plane += 4, mask += 4)
    store<f32>(out, load<f32>(mask) > 0 ? load<f32>(plane) : 0);
}

/** See mixBands in src/bands.ts. */
export function mixBands(
  luma: usize,
  fine: usize,
  medium: usize,
  broad: usize,
  count: i32,
  fineFactor: f32,
  core: f32,
  mediumChange: f32,
  broadChange: f32,
): void {
  const fineFactors = f32x4.splat(fineFactor);
  const cores = f32x4.splat(core);
  const mediums = f32x4.splat(mediumChange);
  const broads = f32x4.splat(broadChange);
  const one = f32x4.splat(1);
  const bytes = usize(count) << 2;
  let i: usize = 0;
  for (; i + 16 <= bytes; i += 16) {
    const step = v128.load(fine + i);
    let kept = fineFactors;
    if (core > 0) {
      const square = f32x4.mul(step, step);
      kept = f32x4.mul(kept, f32x4.div(square, f32x4.add(square, cores)));
    }
    const coarse = f32x4.add(
      f32x4.mul(mediums, v128.load(medium + i)),
      f32x4.mul(broads, v128.load(broad + i)),
    );
    const change = f32x4.add(f32x4.mul(f32x4.sub(kept, one), step), coarse);
    v128.store(luma + i, f32x4.add(v128.load(luma + i), change));
  }
  for (; i < bytes; i += 4) {
    const step = load<f32>(fine + i);
    const kept: f32 = core > 0 ? (step * step) / (step * step + core) : 1;
    const coarse = mediumChange * load<f32>(medium + i) + broadChange * load<f32>(broad + i);
    store<f32>(luma + i, load<f32>(luma + i) + (fineFactor * kept - 1) * step + coarse);
  }
}

/** See keepInRange in src/bands.ts. `lines` has room for `2 * (2 * reach + 1)` rows of `width + 4` floats. */
export function keepInRange(
  changed: usize,
  raw: usize,
  lines: usize,
  width: i32,
  height: i32,
  reach: i32,
  overshoot: f32,
  share: f32,
  strength: f32,
): void {
  const window = 2 * reach + 1;
  const pitch = usize(width) << 2;
  const linePitch = (usize(width) + 4) << 2;
  const from = min(reach, width);
  const to = max(from, width - reach);
  for (let y = 0; y < height; y++, changed += pitch, raw += pitch) {
    if (y < reach || y >= height - reach) {
      mixRow(changed, raw, 0, width, strength);
      continue;
    }
    // Before the first row, the ranges of all rows within reach are needed. After it, each row needs one more.
    const first = y === reach ? -reach : reach;
    for (let row = first; row <= reach; row++)
      rangesAlong(
        raw + pitch * usize(row),
        lines + 2 * linePitch * usize((y + row) % window),
        linePitch,
        from,
        to,
        reach,
      );
    mixRow(changed, raw, 0, from, strength);
    mixRow(changed, raw, to, width, strength);
    holdRow(changed, raw, lines, linePitch, window, from, to, overshoot, share, strength);
  }
}

/** Finds the smallest and largest value within reach along a row, for the columns `from` to `to`. */
function rangesAlong(row: usize, out: usize, linePitch: usize, from: i32, to: i32, reach: i32): void {
  const before = usize(reach) << 2;
  for (let x = usize(from) << 2, end = usize(to) << 2; x < end; x += 16) {
    let least = v128.load(row + x - before);
    let most = least;
    for (let at = row + x - before + 4, last = row + x + before; at <= last; at += 4) {
      const value = v128.load(at);
      least = f32x4.pmin(least, value);
      most = f32x4.pmax(most, value);
    }
    v128.store(out + x, least);
    v128.store(out + linePitch + x, most);
  }
}

function holdRow(
  changed: usize,
  raw: usize,
  lines: usize,
  linePitch: usize,
  window: i32,
  from: i32,
  to: i32,
  overshoot: f32,
  share: f32,
  strength: f32,
): void {
  const linesEnd = lines + 2 * linePitch * usize(window);
  const shares = f32x4.splat(share);
  const overshoots = f32x4.splat(overshoot);
  const strengths = f32x4.splat(strength);
  for (let x = from; x < to; x += 4) {
    const at = usize(x) << 2;
    let least = v128.load(lines + at);
    let most = v128.load(lines + linePitch + at);
    for (let line = lines + 2 * linePitch; line < linesEnd; line += 2 * linePitch) {
      least = f32x4.pmin(least, v128.load(line + at));
      most = f32x4.pmax(most, v128.load(line + linePitch + at));
    }
    const spare = f32x4.add(overshoots, f32x4.mul(shares, f32x4.sub(most, least)));
    const low = f32x4.sub(least, spare);
    const held = f32x4.pmin(f32x4.pmax(v128.load(changed + at), low), f32x4.add(most, spare));
    const own = v128.load(raw + at);
    const mixed = f32x4.add(own, f32x4.mul(strengths, f32x4.sub(held, own)));
    if (x + 4 <= to) v128.store(changed + at, mixed);
    else storeSome(changed + at, mixed, to - x);
  }
}

function mixRow(changed: usize, raw: usize, from: i32, to: i32, strength: f32): void {
  for (let x = usize(from) << 2, end = usize(to) << 2; x < end; x += 4) {
    const own = load<f32>(raw + x);
    store<f32>(changed + x, own + strength * (load<f32>(changed + x) - own));
  }
}
