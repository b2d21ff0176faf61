import { extremes as plainExtremes } from '../plain/extremes.ts';
import { kernels } from '../wasm/kernels.ts';
import { copyIn, copyOut, fitsStage, reserve } from '../wasm/stage.ts';

/** Replaces each value, in place, by the largest value in the square of this radius around it. */
export function dilate(plane: Float32Array, width: number, height: number, radius: number): void {
  extremes(plane, width, height, radius, 1);
}

/** Replaces each value, in place, by the smallest value in the square of this radius around it. */
export function erode(plane: Float32Array, width: number, height: number, radius: number): void {
  extremes(plane, width, height, radius, -1);
}

function extremes(plane: Float32Array, width: number, height: number, radius: number, sign: 1 | -1): void {
  const lineBytes = 4 * (width + 4 * radius + 16) + 16 * (height + 2 * radius);
  if (!fitsStage(plane.byteLength + lineBytes)) {
    plainExtremes(plane, width, height, radius, sign);
    return;
  }
  const at = copyIn(plane);
  kernels().extremes(at, reserve(lineBytes), width, height, radius, sign);
  copyOut(plane, at);
}
