/** Kernel of enlargeSquare in src/scale/plane-scale.ts. `line` has room for `from + 6` floats. */
export function enlargeSquare(plane: usize, out: usize, line: usize, from: i32, factor: i32): void {
  const pitch = (usize(from) * usize(factor)) << 2;
  for (let y = 0, side = from * factor; y < side; y++, out += pitch)
    enlargeRow(plane, out, line, from, factor, y);
}

/** Writes one row of the enlarged plane. */
export function enlargeRow(plane: usize, out: usize, line: usize, from: i32, factor: i32, y: i32): void {
  enlargePart(plane, out, line, from, factor, y, 0, from * factor);
}

/**
 * Returns whether a row of the enlarged plane is all zeros, from the two rows that it is mixed
 * from.
 */
export function isRowEmpty(plane: usize, from: i32, factor: i32, y: i32): bool {
  const bytes = usize(from) << 2;
  const at: f32 = min(max((f32(y) + 0.5) / f32(factor) - 0.5, 0), f32(from - 1));
  const top = plane + usize(i32(at)) * bytes;
  // The last row has no row below it.
  const end = top + (i32(at) < from - 1 ? 2 * bytes : bytes);
  let any = f32x4.splat(0);
  let row = top;
  for (; row + 16 <= end; row += 16) any = v128.or(any, v128.load(row));
  let rest: u32 = 0;
  for (; row < end; row += 4) rest |= load<u32>(row);
  return rest === 0 && !v128.any_true(any);
}

/**
 * Writes one row of the enlarged plane, at least the columns from `left` up to but not including
 * `right`.
 */
export function enlargePart(
  plane: usize,
  out: usize,
  line: usize,
  from: i32,
  factor: i32,
  y: i32,
  left: i32,
  right: i32,
): void {
  const bytes = usize(from) << 2;
  if (factor === 1) {
    memory.copy(out, plane + usize(y) * bytes, bytes);
    return;
  }
  mixRows(plane, line + 4, from, factor, y);
  const first = load<f32>(line, 4);
  const last = load<f32>(line + bytes);
  // One repeated value on each side, because the plane is constant before the first centre and
  // after the last one.
  store<f32>(line, first);
  store<f32>(line + bytes + 4, last);
  const half = factor >> 1;
  const margin = usize(half) << 2;
  for (let at: usize = 0; at < margin; at += 4) store<f32>(out + at, first);
  const end = out + bytes * usize(factor);
  for (let at = end - margin; at < end; at += 4) store<f32>(at, last);
  const begin = max(0, left - half) / factor;
  const stop = line + (usize(min(from, (max(0, right - half) + factor - 1) / factor + 1)) << 2);
  line += usize(begin) << 2;
  out += margin + usize(begin * factor << 2);
  if (factor === 2) enlargeTwice(line + 4, stop, out);
  else if (factor === 4) enlargeFourfold(line + 4, stop, out);
  else enlargeBy(line + 4, stop, out, factor);
}

/** Interpolates the plane between two rows, at the height of row `y` of the enlarged plane. */
function mixRows(plane: usize, line: usize, from: i32, factor: i32, y: i32): void {
  const bytes = usize(from) << 2;
  const at: f32 = min(max((f32(y) + 0.5) / f32(factor) - 0.5, 0), f32(from - 1));
  const top = i32(at);
  const upper = plane + usize(top) * bytes;
  const lower = top < from - 1 ? upper + bytes : upper;
  const share = at - f32(top);
  const shares = f32x4.splat(share);
  let x: usize = 0;
  for (; x + 16 <= bytes; x += 16) {
    const value = v128.load(upper + x);
    v128.store(line + x, f32x4.add(value, f32x4.mul(f32x4.sub(v128.load(lower + x), value), shares)));
  }
  for (; x < bytes; x += 4) {
    const value = load<f32>(upper + x);
    store<f32>(line + x, value + (load<f32>(lower + x) - value) * share);
  }
}

function enlargeTwice(line: usize, stop: usize, out: usize): void {
  const quarter = f32x4.splat(0.25);
  const rest = f32x4.splat(0.75);
  for (; line + 16 <= stop; line += 16, out += 32) {
    const value = v128.load(line);
    const step = f32x4.sub(v128.load(line, 4), value);
    const near = f32x4.add(value, f32x4.mul(step, quarter));
    const far = f32x4.add(value, f32x4.mul(step, rest));
    v128.store(out, v128.shuffle<f32>(near, far, 0, 4, 1, 5));
    v128.store(out, v128.shuffle<f32>(near, far, 2, 6, 3, 7), 16);
  }
  for (; line < stop; line += 4, out += 8) {
    const value = load<f32>(line);
    const step = load<f32>(line, 4) - value;
    store<f32>(out, value + step * 0.25);
    store<f32>(out, value + step * 0.75, 4);
  }
}

function enlargeFourfold(line: usize, stop: usize, out: usize): void {
  const ramp = f32x4(0.125, 0.375, 0.625, 0.875);
  let value = v128.load32_splat(line);
  for (; line < stop; line += 4, out += 16) {
    const next = v128.load32_splat(line, 4);
    v128.store(out, f32x4.add(value, f32x4.mul(f32x4.sub(next, value), ramp)));
    value = next;
  }
}

/** Enlarges a line by `factor`, which is a multiple of four. */
function enlargeBy(line: usize, stop: usize, out: usize, factor: i32): void {
  const per: f32 = 1 / f32(factor);
  const ramp = f32x4.mul(f32x4(0.5, 1.5, 2.5, 3.5), f32x4.splat(per));
  const four = f32x4.splat(4 * per);
  for (; line < stop; line += 4) {
    const value = f32x4.splat(load<f32>(line));
    const step = f32x4.sub(f32x4.splat(load<f32>(line, 4)), value);
    let along = ramp;
    for (let k = 0; k < factor; k += 4, out += 16) {
      v128.store(out, f32x4.add(value, f32x4.mul(step, along)));
      along = f32x4.add(along, four);
    }
  }
}
