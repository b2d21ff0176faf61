import {
  enlargeSquare as plainEnlargeSquare,
  halvePlane as plainHalvePlane,
  shrinkSquare as plainShrinkSquare,
} from '../plain/plane-scale.ts';
import { kernels } from '../wasm/kernels.ts';
import { copyIn, copyOut, fitsStage, reserve, reserveFor } from '../wasm/stage.ts';

export { enlargedRow } from '../plain/plane-scale.ts';

/**
 * Halves a plane into `half`, by default a new plane. Each value is the mean of 2 x 2 values. Width
 * and height must be even.
 */
export function halvePlane(
  plane: Float32Array,
  width: number,
  height: number,
  half: Float32Array = new Float32Array((width >> 1) * (height >> 1)),
): Float32Array {
  if (!fitsStage(2 * plane.byteLength)) {
    half.set(plainHalvePlane(plane, width, height));
    return half;
  }
  const out = reserveFor(half);
  kernels().halvePlane(copyIn(plane), out, width, height);
  copyOut(half, out);
  return half;
}

/**
 * Shrinks a square plane from `from` x `from` to `to` x `to` by repeated halving into `out`, by
 * default a new plane. Both are powers of two, and `to <= from`. Returns a copy if they are equal.
 */
export function shrinkSquare(
  plane: Float32Array,
  from: number,
  to: number,
  out: Float32Array = new Float32Array(to * to),
): Float32Array {
  if (from === to || !fitsStage(2 * plane.byteLength)) {
    out.set(from === to ? plane : plainShrinkSquare(plane, from, to));
    return out;
  }
  let at = copyIn(plane);
  for (let side = from; side > to; side >>= 1) {
    const half = side >> 1 === to ? reserveFor(out) : reserve(side * side);
    kernels().halvePlane(at, half, side, side);
    at = half;
  }
  copyOut(out, at);
  return out;
}

/**
 * Enlarges a square plane of side `from` bilinearly by `factor` (1 or even) into `large`, by
 * default a new plane; see `enlargedRow`.
 */
export function enlargeSquare(
  plane: Float32Array,
  from: number,
  factor: number,
  large: Float32Array = new Float32Array(from * factor * from * factor),
): Float32Array {
  const lineBytes = 4 * (from + 8);
  const hasKernel = factor === 1 || factor === 2 || factor % 4 === 0;
  if (!hasKernel || !fitsStage(plane.byteLength + large.byteLength + lineBytes)) {
    large.set(plainEnlargeSquare(plane, from, factor));
    return large;
  }
  const out = reserveFor(large);
  kernels().enlargeSquare(copyIn(plane), out, reserve(lineBytes), from, factor);
  copyOut(large, out);
  return large;
}
