/** A new plane of half the size: each value is the mean of 2 x 2. Width and height must be even. */
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

/** Square plane `from` x `from` brought to `to` x `to`, both powers of two, `to <= from`, by repeated halving. A copy where equal. */
export function shrinkSquare(plane: Float32Array, from: number, to: number): Float32Array {
  let out = from === to ? plane.slice() : plane;
  for (let side = from; side > to; side >>= 1) out = halvePlane(out, side, side);
  return out;
}

/**
 * Row `y` of a square plane of side `from` enlarged bilinearly by the whole factor `factor`, written to `out`
 * (`from * factor` values). Centres are aligned: value centres of the small plane lie at the centres of its blocks.
 */
export function enlargedRow(plane: Float32Array, from: number, factor: number, y: number, out: Float32Array): void {
  const step = 1 / factor;
  const at = Math.min(from - 1, Math.max(0, (y + 0.5) * step - 0.5));
  const top = at | 0;
  const fy = at - top;
  const upper = top * from;
  const lower = Math.min(from - 1, top + 1) * from;
  const last = from - 1;
  for (let x = 0, n = from * factor; x < n; x++) {
    const raw = (x + 0.5) * step - 0.5;
    const ax = raw < 0 ? 0 : raw > last ? last : raw;
    const l = ax | 0;
    const r = l < last ? l + 1 : l;
    const fx = ax - l;
    const a = plane[upper + l]! + (plane[upper + r]! - plane[upper + l]!) * fx;
    const b = plane[lower + l]! + (plane[lower + r]! - plane[lower + l]!) * fx;
    out[x] = a + (b - a) * fy;
  }
}

/** The whole plane by `enlargedRow`. */
export function enlargeSquare(plane: Float32Array, from: number, factor: number): Float32Array {
  if (factor === 1) return plane.slice();
  const side = from * factor;
  const out = new Float32Array(side * side);
  for (let y = 0; y < side; y++) enlargedRow(plane, from, factor, y, out.subarray(y * side, (y + 1) * side));
  return out;
}
