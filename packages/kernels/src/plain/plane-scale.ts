/**
 * Makes a plane of half the size. Each value is the mean of 2 x 2 values. Width and height must be
 * even.
 */
export function halvePlane(plane: Float32Array, width: number, height: number): Float32Array {
  const half = width >> 1;
  const out = new Float32Array(half * (height >> 1));
  for (let y = 0, o = 0; y < height; y += 2) {
    for (let i = y * width, end = i + width; i < end; i += 2, o++) {
      out[o] = 0.25 * (plane[i]! + plane[i + 1]! + plane[i + width]! + plane[i + width + 1]!);
    }
  }
  return out;
}

/**
 * Shrinks a square plane from `from` x `from` to `to` x `to` by repeated halving. Both are powers
 * of two, and `to <= from`. Returns a copy if they are equal.
 */
export function shrinkSquare(plane: Float32Array, from: number, to: number): Float32Array {
  let out = from === to ? plane.slice() : plane;
  for (let side = from; side > to; side >>= 1) out = halvePlane(out, side, side);
  return out;
}

/**
 * Writes row `y` of an enlarged plane to `out`, `from * factor` values. The plane is square, of
 * side `from`, and is enlarged bilinearly by `factor` (1 or even). The values of the small plane
 * lie at the centres of their blocks.
 */
export function enlargedRow(
  plane: Float32Array,
  from: number,
  factor: number,
  y: number,
  out: Float32Array,
): void {
  if (factor === 1) {
    for (let x = 0, i = y * from; x < from; x++, i++) out[x] = plane[i]!;
    return;
  }
  const at = Math.min(from - 1, Math.max(0, (y + 0.5) / factor - 0.5));
  const top = at | 0;
  const fy = at - top;
  const upper = top * from;
  const down = top < from - 1 ? from : 0;
  const half = factor >> 1;
  const step = 1 / factor;
  let value = plane[upper]! + (plane[upper + down]! - plane[upper]!) * fy;
  let x = 0;
  // The edge value is repeated before the first centre and after the last.
  while (x < half) out[x++] = value;
  for (let cell = 1; cell < from; cell++) {
    const i = upper + cell;
    const next = plane[i]! + (plane[i + down]! - plane[i]!) * fy;
    const slope = (next - value) * step;
    value += 0.5 * slope;
    for (let k = 0; k < factor; k++, value += slope) out[x++] = value;
    value = next;
  }
  for (const end = from * factor; x < end;) out[x++] = value;
}

/** Enlarges a whole plane by `enlargedRow`. */
export function enlargeSquare(plane: Float32Array, from: number, factor: number): Float32Array {
  if (factor === 1) return plane.slice();
  const side = from * factor;
  const out = new Float32Array(side * side);
  for (let y = 0; y < side; y++) enlargedRow(plane, from, factor, y, out.subarray(y * side, (y + 1) * side));
  return out;
}
